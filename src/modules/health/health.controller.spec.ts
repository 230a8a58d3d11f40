import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { VERSION } from '../../common/version.js';
import type { Draining } from './draining.js';
import { HealthController } from './health.controller.js';

const answers = () => Promise.resolve();
const fails = () => Promise.reject(new Error('away'));

describe('readiness', () => {
  const readiness = ({ query = answers, ping = answers, hasBegun = false }) =>
    new HealthController(
      { query } as unknown as DataSource,
      { ping } as unknown as Redis,
      {
        hasBegun,
      } as Draining,
    ).getReadiness();

  it('is given while both servers respond', async () => {
    expect(await readiness({})).toEqual({ status: 'ok', version: VERSION });
  });

  it.each([
    [{ query: fails }, 'Not reachable: Postgres'],
    [{ ping: fails }, 'Not reachable: Redis'],
    [{ query: fails, ping: fails }, 'Not reachable: Postgres, Redis'],
    [{ hasBegun: true }, 'Shutting down'],
  ])('is not given otherwise (%#), with a reason and a time to retry', async (given, detail) => {
    await expect(readiness(given)).rejects.toMatchObject({
      code: 'unavailable',
      detail,
      extra: { headers: { 'Retry-After': '5' } },
    });
  });
});
