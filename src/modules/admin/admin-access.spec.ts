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
  const accessWith = (ADMIN_TOKEN: string | undefined) =>
    new AdminAccess({ ADMIN_TOKEN } as Environment, {} as RequestLimits, new SetClock());
  const requestWith = (value: string) =>
    ({ header: () => `other=1; wss_admin_session=${value}` }) as unknown as Request;
  const access = accessWith('token');

  beforeEach(() => void (now = BEGIN));

  it('lasts twelve hours', () => {
    const request = requestWith(access.newSession());
    now = BEGIN + TWELVE_HOURS_MS - 1;
    expect(access.sessionEnd(request)).toEqual(new Date(BEGIN + TWELVE_HOURS_MS));
    now = BEGIN + TWELVE_HOURS_MS;
    expect(access.sessionEnd(request)).toBeNull();
  });

  it('ends when the token changes or is removed', () => {
    const request = requestWith(access.newSession());
    for (const token of ['other', undefined]) expect(accessWith(token).sessionEnd(request)).toBeNull();
  });
});
