import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import type { Role } from '../../config/roles.js';
import { VERSION } from '../../common/version.js';
import type { ClaimFailures } from '../../infrastructure/readiness/claim-failures.js';
import type { Draining } from '../../infrastructure/readiness/draining.js';
import { HealthController } from './health.controller.js';

const answers = () => Promise.resolve();
const fails = () => Promise.reject(new Error('away'));

describe('readiness', () => {
  const FAILURE = { seconds: 9.6, reason: 'permission denied for table job_turns' };
  const readiness = ({
    query = answers,
    ping = answers,
    hasBegun = false,
    failure = null as typeof FAILURE | null,
    roles = ['worker'] as Role[],
  }) =>
    new HealthController(
      { query } as unknown as DataSource,
      { ping } as unknown as Redis,
      {
        hasBegun,
      } as Draining,
      { current: () => failure } as ClaimFailures,
      { ROLES: roles },
    ).getReadiness();

  it('is given while both servers respond', async () => {
    expect(await readiness({})).toEqual({ status: 'ok', version: VERSION });
  });

  it('is given to an API whose worker fails to claim jobs, and names that', async () => {
    expect(await readiness({ failure: FAILURE, roles: ['api', 'worker'] })).toMatchObject({
      status: 'ok',
      problem: 'This worker has not been able to claim jobs for 10 s',
    });
  });

  it.each([
    [{ query: fails }, 'Not reachable: Postgres'],
    [{ ping: fails }, 'Not reachable: Redis'],
    [{ query: fails, ping: fails }, 'Not reachable: Postgres, Redis'],
    [{ hasBegun: true }, 'Shutting down'],
    [{ failure: FAILURE }, 'This worker has not been able to claim jobs for 10 s'],
  ])('is not given otherwise (%#), with a reason and a time to retry', async (given, detail) => {
    await expect(readiness(given)).rejects.toMatchObject({
      code: 'unavailable',
      detail,
      extra: { headers: { 'Retry-After': '5' } },
    });
  });
});
