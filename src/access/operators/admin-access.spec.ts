import type { Request } from 'express';
import { Clock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import type { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import type { AuditService } from '../audit/audit.service.js';
import { AdminAccess } from './admin-access.js';
import type { AdminSession } from './admin-session.entity.js';
import type { AdminSessionsRepository } from './admin-sessions.repository.js';
import type { OperatorAccountsRepository } from './operator-accounts.repository.js';
import { Operators } from './operators.js';

const BEGIN = Date.parse('2026-06-30T12:00:00Z');
const HOUR_MS = 3_600_000;

describe("an operator's session", () => {
  let now: number;
  class SetClock extends Clock {
    now = (): Date => new Date(now);
  }
  let failures: string[];
  let stored: AdminSession[];
  const limits = {
    countFailure: (address: string) => Promise.resolve(void failures.push(address)),
  } as unknown as RequestLimits;
  const sessions = {
    insert: (session: AdminSession) => Promise.resolve(void stored.push(session)),
    find: (wanted: AdminSession, time: Date, idleSince: Date) =>
      Promise.resolve(
        stored.find(
          (session) =>
            session.tokenHash.equals(wanted.tokenHash) &&
            session.adminTokenHash.equals(wanted.adminTokenHash) &&
            session.expiresAt > time &&
            session.lastUsedAt > idleSince,
        ) ?? null,
      ),
    touch: (_hash: Buffer, time: Date) => Promise.resolve(void (stored[0]!.lastUsedAt = time)),
    delete: (hash: Buffer) =>
      Promise.resolve(void (stored = stored.filter(({ tokenHash }) => !tokenHash.equals(hash)))),
  } as unknown as AdminSessionsRepository;
  const accessIn = (environment: Partial<Environment>) =>
    new AdminAccess(
      environment as Environment,
      limits,
      sessions,
      new Operators(environment as Environment, {} as OperatorAccountsRepository, sessions),
      {} as AuditService,
      new SetClock(),
    );
  const accessWith = (ADMIN_TOKEN: string | undefined) => accessIn({ ADMIN_TOKEN });
  const requestWith = (value: string, authorization?: string) => {
    const headers: Record<string, string | undefined> = {
      cookie: `other=1; wss_admin_session=${value}`,
      authorization,
    };
    return {
      method: 'GET',
      header: (name: string) => headers[name],
      socket: { remoteAddress: '192.0.2.1' },
    } as unknown as Request;
  };
  const access = accessWith('token');
  const begin = async () => requestWith(await access.begin(requestWith('')));

  beforeEach(() => void ([now, failures, stored] = [BEGIN, [], []]));

  it('lasts twelve hours while it is used, and two without use', async () => {
    const request = await begin();
    for (let hour = 1; hour < 12; hour += 1) {
      now = BEGIN + hour * HOUR_MS;
      await access.authenticate(request);
    }
    now = BEGIN + 12 * HOUR_MS - 1;
    expect((await access.session(request))?.expiresAt).toEqual(new Date(BEGIN + 12 * HOUR_MS));
    now = BEGIN + 12 * HOUR_MS;
    expect(await access.session(request)).toBeNull();
    const unused = await begin();
    now += 2 * HOUR_MS;
    expect(await access.session(unused)).toBeNull();
  });

  it('is random, stored as a hash, and ends when the operator signs out', async () => {
    const token = await access.begin(requestWith(''));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(stored)).not.toContain(token);
    await access.end(requestWith(token));
    expect(await access.session(requestWith(token))).toBeNull();
  });

  it('is not used by a request with a token of its own', async () => {
    const session = await access.begin(requestWith(''));
    await access.authenticate(requestWith(session));
    await access.authenticate(requestWith('', 'bearer token'));
    expect(failures).toEqual([]);
    const code = (request: Request) =>
      access.authenticate(request).catch((error: { code: string }) => error.code);
    expect([
      await code(requestWith(session, 'Bearer wrong')),
      await code(requestWith('', 'Bearer wrong')),
      await code(requestWith('')),
      await code(requestWith('', 'Basic token')),
    ]).toEqual(['invalid_admin_token', 'invalid_admin_token', 'missing_admin_token', 'missing_admin_token']);
    expect(failures).toEqual(Array.from({ length: 4 }, () => '192.0.2.1'));
  });

  it.each<[string, Partial<Environment>]>([
    ['names the operator no longer', { OIDC_ADMIN_EMAILS: ['bob@example.org'] }],
    ['has no identity provider any more', { OIDC_ISSUER: undefined }],
  ])('ends when the environment %s', async (_case, change) => {
    const environment = {
      ADMIN_TOKEN: 'token',
      OIDC_ISSUER: 'https://id.example',
      OIDC_ADMIN_EMAILS: ['ann@example.org', 'bob@example.org'],
    };
    const request = requestWith(await accessIn(environment).begin(requestWith(''), 'ann@example.org'));
    expect(await accessIn(environment).session(request)).not.toBeNull();
    expect(await accessIn({ ...environment, ...change }).session(request)).toBeNull();
  });

  it('ends when the token changes or is removed', async () => {
    const request = await begin();
    for (const token of ['other', undefined]) expect(await accessWith(token).session(request)).toBeNull();
  });
});
