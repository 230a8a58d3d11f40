import { jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { parseEnvironment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import { FAILURES_PER_WINDOW, RequestLimits } from './request-limits.js';

describe('failed authentications', () => {
  it('are those that end with 401, not other refusals or failures', async () => {
    const limits = new RequestLimits({} as Redis, parseEnvironment({}));
    const counted = jest.spyOn(limits, 'countFailure').mockResolvedValue();
    const attempt = async (error: Error): Promise<number> => {
      counted.mockClear();
      await expect(limits.limitFailures('192.0.2.1', () => Promise.reject(error))).rejects.toBe(error);
      return counted.mock.calls.length;
    };
    expect(await attempt(new Problem('revoked_api_key', ''))).toBe(1);
    expect(await attempt(new Problem('cross_origin_request', ''))).toBe(0);
    expect(await attempt(new Error('the database is away'))).toBe(0);
  });
});

it('an address may fail 600 times a minute', () => {
  expect(FAILURES_PER_WINDOW).toBe(600);
});
