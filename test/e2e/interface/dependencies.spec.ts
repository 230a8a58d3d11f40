import type { Redis } from 'ioredis';
import { REDIS } from '../../../src/infrastructure/queue/redis.js';
import { startBreakableApplication } from '../../support/breakable-application.js';
import { ContractClient } from '../../support/contract.js';
import { until } from '../../support/until.js';

const LONGEST_ANSWER_MS = 10_000;

const service = await startBreakableApplication({ API_RATE_LIMIT_PER_MINUTE: '1000' });
const workspace = await service.createWorkspace();
const client = new ContractClient(service, workspace.apiKey);

describe('while a dependency is unavailable', () => {
  afterEach(() => {
    service.postgres.restore();
    service.redis.restore();
  });

  const paths = ['/jobs', '/posts', '/exports/posts', '/api-keys'];

  async function expectAway(path: string): Promise<void> {
    const answer = await Promise.race([
      client.get<{ code: string }>(path),
      new Promise<never>((_, reject) =>
        setTimeout(() => reject(new Error('no answer')), LONGEST_ANSWER_MS).unref(),
      ),
    ]);
    expect([path, answer.status, answer.body.code]).toEqual([path, 503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
  }

  /** Connections recover by themselves, a moment after their server. */
  const expectBack = () =>
    until(
      () => client.get(workspace.path('/jobs')),
      ({ status }) => status === 200,
    );

  it('answers 503 when Postgres is gone, and works again when it is back', async () => {
    service.postgres.cut();
    for (const path of paths) await expectAway(workspace.path(path));
    service.postgres.restore();
    await expectBack();
  });

  it('answers 503 when Redis, which counts requests, is gone', async () => {
    service.redis.cut();
    for (const path of paths) await expectAway(workspace.path(path));
    service.redis.restore();
    await expectBack();
  });

  it('answers 503 when Redis is there but silent', async () => {
    service.redis.silence();
    const unanswered = expect(service.app.get<Redis>(REDIS).ping()).rejects.toThrow('Command timed out');
    await expectAway(workspace.path('/jobs'));
    await unanswered;
    service.redis.restore();
    await expectBack();
  });

  it('names the unavailable dependency to probes, and still serves metrics', async () => {
    service.redis.cut();
    const { status, body } = await client.get<{ detail: string }>('/health/ready');
    expect([status, body.detail]).toEqual([503, 'Not reachable: Redis']);
    expect((await client.get('/health/live')).status).toBe(200);
    expect((await client.get('/metrics')).status).toBe(200);
    service.redis.restore();
    await expectBack();
  });
});
