import type { Request } from 'express';
import { Clock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import type { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { AdminAccess } from './admin-access.js';

const BEGIN = Date.parse('2026-06-30T12:00:00Z');
const TWELVE_HOURS_MS = 12 * 3_600_000;

describe("an operator's session", () => {
  let now: number;
  class SetClock extends Clock {
    now = (): Date => new Date(now);
  }
  let failures: string[];
  const limits = {
    countFailure: (address: string) => Promise.resolve(void failures.push(address)),
  } as unknown as RequestLimits;
  const accessWith = (ADMIN_TOKEN: string | undefined) =>
    new AdminAccess({ ADMIN_TOKEN } as Environment, limits, new SetClock());
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

  beforeEach(() => void ([now, failures] = [BEGIN, []]));

  it('lasts twelve hours', () => {
    const request = requestWith(access.newSession());
    now = BEGIN + TWELVE_HOURS_MS - 1;
    expect(access.sessionEnd(request)).toEqual(new Date(BEGIN + TWELVE_HOURS_MS));
    now = BEGIN + TWELVE_HOURS_MS;
    expect(access.sessionEnd(request)).toBeNull();
  });

  it('is not used by a request with a token of its own', async () => {
    const session = access.newSession();
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

  it('ends when the token changes or is removed', () => {
    const request = requestWith(access.newSession());
    for (const token of ['other', undefined]) expect(accessWith(token).sessionEnd(request)).toBeNull();
  });
});
