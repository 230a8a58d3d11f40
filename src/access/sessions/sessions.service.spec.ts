import { Clock } from '../../common/clock.js';
import type { Caller } from '../../http/request/request.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import type { ApiKeysService } from '../api-keys/api-keys.service.js';
import type { Session } from '../api-keys/session.entity.js';
import type { SessionsRepository } from '../api-keys/sessions.repository.js';
import { SessionsService } from './sessions.service.js';

const NOW = new Date('2026-06-30T12:00:00Z');
const HOUR_MS = 3_600_000;
const KEY = Object.freeze({
  workspaceId: 'w',
  id: 'k',
  isActive: true,
  expiresAt: null,
}) as unknown as ApiKey;
const BROWSER = { address: '192.0.2.1', userAgent: 'Test' };
const CALLER: Caller = {
  ...{ workspaceId: 'w', keyId: 'k', keyPrefix: 'rp_', scopes: [], mayWrite: false },
  ...{ email: null, expiresAt: null, session: null, isStillValid: () => Promise.resolve(true) },
};

describe('sessions', () => {
  let key: ApiKey;
  let stored: Session[];
  let pruned: [Date, number][];
  let service: SessionsService;

  beforeEach(() => {
    [key, stored, pruned] = [KEY, [], []];
    class FixedClock extends Clock {
      now = (): Date => NOW;
    }
    const sessionOf = (hash: Buffer) => stored.find(({ tokenHash }) => tokenHash.equals(hash))!;
    const has = (hash: Buffer) => stored.some(({ tokenHash }) => tokenHash.equals(hash));
    const sessions: Partial<Record<keyof SessionsRepository, unknown>> = {
      insert: (session: Session) => Promise.resolve(void stored.push(session)),
      find: (hash: Buffer) => Promise.resolve(has(hash) ? { key, session: sessionOf(hash) } : null),
      delete: (_workspaceId: string, hash: Buffer) => {
        const isDeleted = has(hash);
        stored = stored.filter(({ tokenHash }) => !tokenHash.equals(hash));
        return Promise.resolve(isDeleted);
      },
      deleteExpired: (now: Date, limit: number) => {
        pruned.push([now, limit]);
        return Promise.resolve(pruned.length === 1 ? limit : limit - 1);
      },
    };
    service = new SessionsService(
      sessions as unknown as SessionsRepository,
      {} as ApiKeysService,
      new FixedClock(),
    );
  });

  it('last 12 hours, and store only a hash of their token', async () => {
    const token = await service.begin({ key, endsAt: null }, BROWSER);
    expect(stored).toMatchObject([{ workspaceId: 'w', apiKeyId: 'k' }]);
    expect(stored[0]!.expiresAt.getTime() - NOW.getTime()).toBe(12 * HOUR_MS);
    expect(stored[0]!.tokenHash).toHaveLength(32);
    expect((await service.authenticate(token)).key).toBe(KEY);
    await service.end('w', token);
    await expect(service.authenticate(token)).rejects.toMatchObject({ code: 'invalid_session' });
  });

  it('can begin once by a link within 15 minutes', async () => {
    const { token, expiresAt } = await service.createLink(CALLER);
    expect(stored[0]!.expiresAt).toEqual(expiresAt);
    expect(expiresAt.getTime() - NOW.getTime()).toBe(HOUR_MS / 4);
    expect(await service.redeemLink(token)).toEqual({ key: KEY, endsAt: null });
    await expect(service.redeemLink(token)).rejects.toMatchObject({ code: 'invalid_session' });
  });

  it('neither begin by the token of a link as a cookie, nor with a key that has ended', async () => {
    const [session, { token }] = [
      await service.begin({ key, endsAt: null }, BROWSER),
      await service.createLink(CALLER),
    ];
    await expect(service.authenticate(token)).rejects.toMatchObject({ code: 'invalid_session' });
    await expect(service.redeemLink(session)).rejects.toMatchObject({ code: 'invalid_session' });
    key = { ...KEY, isActive: false };
    await expect(service.authenticate(session)).rejects.toMatchObject({ code: 'revoked_api_key' });
    key = { ...KEY, expiresAt: NOW };
    await expect(service.redeemLink(token)).rejects.toMatchObject({ code: 'expired_api_key' });
  });

  it('end with their key, and with the session that their link was made in', async () => {
    const soon = new Date(NOW.getTime() + HOUR_MS);
    key = { ...KEY, expiresAt: soon };
    await service.begin({ key, endsAt: null }, BROWSER);
    const inSession = { ...CALLER, session: { id: 's', expiresAt: soon } };
    const { token } = await service.createLink(inSession);
    key = KEY;
    await service.begin(await service.redeemLink(token), BROWSER);
    expect(stored.map(({ expiresAt }) => expiresAt)).toEqual([soon, soon]);
    const late = { ...CALLER, expiresAt: new Date(NOW.getTime() + 60_000) };
    expect((await service.createLink(late)).expiresAt).toEqual(late.expiresAt);
  });

  it('are deleted after they have expired, in batches until one is not full', async () => {
    expect([await service.pruneBatch(), await service.pruneBatch()]).toEqual([true, false]);
    expect(pruned[0]![0]).toBe(NOW);
  });
});
