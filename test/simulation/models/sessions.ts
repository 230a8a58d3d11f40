import type { ApiKey } from '../../../src/access/api-keys/api-key.entity.js';
import { ApiKeysService } from '../../../src/access/api-keys/api-keys.service.js';
import { SessionsService } from '../../../src/access/sessions/sessions.service.js';
import { Clock } from '../../../src/common/clock.js';
import type { Container } from '../container.js';
import type { Random } from '../random.js';
import { Violation } from '../violation.js';
import { DAY_MS, HOUR_MS } from '../world.js';

const STEPS = 100;
const MINUTE_MS = 60_000;
const LIFETIME_MS = 12 * HOUR_MS;
const IDLE_MS = 2 * HOUR_MS;
const OF_KEY = 20;

interface ModelSession {
  token: string;
  key: ApiKey;
  endsAt: number;
  usedAt: number;
}

/** Over months, a session works until it is 12 hours old, idle for two, signed out, one of too many, or its key ends. */
export async function checkSessions(
  container: Container,
  workspaceId: string,
  random: Random,
  time: { now: number },
): Promise<void> {
  const [service, keys] = [container.get(SessionsService), container.get(ApiKeysService)];
  const now = (): number => container.get(Clock).now().getTime();
  const revoked = new Set<string>();
  let sessions: ModelSession[] = [];
  const isUsable = ({ id, expiresAt }: ApiKey): boolean =>
    !revoked.has(id) && (expiresAt === null || expiresAt.getTime() > now());
  const create = async (): Promise<ApiKey> => {
    const expiresAt = random.chance(0.5) ? new Date(now() + random.below(30 * DAY_MS) + 1) : null;
    return (await keys.create(workspaceId, { name: 'Key', scopes: ['read'], expiresAt })).record;
  };
  let key = await create();
  for (let step = 0; step < STEPS; step += 1) {
    time.now += 1 + random.below(random.pick([MINUTE_MS, MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 10 * DAY_MS]));
    if (!isUsable(key)) key = await create();
    const luck = random.next();
    if (luck < 0.4 || sessions.length === 0) {
      const token = await service.begin({ key, endsAt: null }, { address: '::1', userAgent: undefined });
      const endsAt = Math.min(now() + LIFETIME_MS, key.expiresAt?.getTime() ?? Infinity);
      sessions.push({ token, key, endsAt, usedAt: now() });
      const tooMany = sessions.filter((session) => session.key.id === key.id).slice(0, -OF_KEY);
      sessions = sessions.filter((session) => !tooMany.includes(session));
    } else if (luck < 0.45) {
      await keys.revoke(workspaceId, key.id);
      revoked.add(key.id);
    } else if (luck < 0.5) await service.pruneBatch();
    else if (luck < 0.55)
      await service.end(workspaceId, sessions.splice(random.below(sessions.length), 1)[0]!.token);
    for (const session of sessions.length === 0 ? [] : new Set([sessions.at(-1)!, random.pick(sessions)])) {
      const found = await service.authenticate(session.token).catch(() => null);
      const { endsAt, usedAt } = session;
      const works = now() < endsAt && now() < usedAt + IDLE_MS && isUsable(session.key);
      if ((found !== null) !== works)
        throw new Violation(
          `A session ${works ? 'does not work' : 'works'} at ${new Date(now()).toISOString()}`,
        );
      if (found === null || random.chance(0.5)) continue;
      await service.recordUse(found.session);
      if (usedAt < now() - MINUTE_MS) session.usedAt = now();
    }
    sessions = sessions.slice(-OF_KEY);
  }
}
