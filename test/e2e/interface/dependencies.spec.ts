import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { type BreakableProxy, startBreakableProxy } from '../../support/breakable-proxy.js';
import { Contract, ContractClient } from '../../support/contract.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { createTestRedis } from '../../support/redis.js';

const LONGEST_ANSWER_MS = 10_000;

describe('while a dependency is away', () => {
  let database: TestDatabase;
  let postgres: BreakableProxy;
  let redis: BreakableProxy;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    postgres = await startBreakableProxy(database.url);
    redis = await startBreakableProxy((await createTestRedis()).url);
    service = await startTestApplication({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      API_RATE_LIMIT_PER_MINUTE: '1000',
    });
    workspace = await service.createWorkspace();
    client = new ContractClient(service, new Contract(service), workspace.apiKey);
  });
  afterEach(() => {
    postgres.restore();
    redis.restore();
  });
  afterAll(async () => {
    await service.close();
    await postgres.close();
    await redis.close();
    await database.drop();
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

  /** Connections come back by themselves, a moment after what they lead to. */
  async function expectBack(): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if ((await client.get(workspace.path('/jobs'))).status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the service did not come back');
  }

  it('answers 503 when Postgres is gone, and works again when it is back', async () => {
    postgres.cut();
    for (const path of paths) await expectAway(workspace.path(path));
    postgres.restore();
    await expectBack();
  });

  it('answers 503 when Redis, which counts requests, is gone', async () => {
    redis.cut();
    for (const path of paths) await expectAway(workspace.path(path));
    redis.restore();
    await expectBack();
  });

  it('answers 503 when Redis is there but silent', async () => {
    redis.silence();
    await expectAway(workspace.path('/jobs'));
    redis.restore();
    await expectBack();
  });

  it('names the unavailable dependency to probes, and still serves metrics', async () => {
    redis.cut();
    const { status, body } = await client.get<{ detail: string }>('/health/ready');
    expect([status, body.detail]).toEqual([503, 'Not reachable: Redis']);
    expect((await client.get('/health/live')).status).toBe(200);
    expect((await client.get('/metrics')).status).toBe(200);
    redis.restore();
    await expectBack();
  });
});
