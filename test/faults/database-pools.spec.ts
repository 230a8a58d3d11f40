import { createServer, type AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ConfigModule } from '../../src/config/config.module.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { type BreakableApplication, startBreakableApplication } from '../support/breakable-application.js';

const SEARCH_TIMEOUT_MS = 5_000;

async function get(
  service: TestApplication,
  path: string,
  key?: string,
): Promise<{ status: number; code?: string; retryAfter: string | null }> {
  const response = await fetch(service.url + path, {
    headers: key === undefined ? {} : { 'X-API-Key': key },
  });
  const body = (await response.json()) as { code?: string };
  return {
    status: response.status,
    code: body.code,
    retryAfter: response.headers.get('retry-after'),
  };
}

describe('searches that do not end', () => {
  let service: TestApplication;
  let hostile: TestWorkspace;
  let other: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ SEARCH_TIMEOUT_MS: String(SEARCH_TIMEOUT_MS) });
    hostile = await service.createWorkspace();
    other = await service.createWorkspace();
    await storePosts(service, hostile.workspaceId, [aPost(1)]);
    await storeComments(service, other.workspaceId, [aComment(1)]);
  });

  it('are stopped or refused, and delay neither other workspaces nor other requests', async () => {
    const lock = service.app.get(DataSource).createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
    let stopped = 0;
    const searches = Array.from({ length: 20 }, async () => {
      const answer = await get(service, hostile.path('/posts?q=-zzz&sort_by=relevance'), hostile.apiKey);
      if (answer.status === 503) stopped += 1;
      return answer;
    });
    const calm = [];
    for (let round = 0; round < 2; round += 1)
      calm.push(
        await get(service, other.path('/jobs'), other.apiKey),
        await get(service, other.path('/comments'), other.apiKey),
        await get(service, hostile.path('/jobs'), hostile.apiKey),
        await get(service, '/health/ready'),
      );
    const stoppedBefore = stopped;
    const refused = await Promise.all(searches);
    await lock.rollbackTransaction();
    await lock.release();

    expect(calm.map(({ status }) => status)).toEqual(calm.map(() => 200));
    // The others were answered while every search was still waiting.
    expect(stoppedBefore).toBe(0);
    expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['503 search_timeout', '429 too_many_concurrent_requests']),
    );
    expect(refused.filter(({ status }) => status === 503)).toHaveLength(4);
    // All were answered while the table was still locked, so the service itself ended them.
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect((await get(service, hostile.path('/posts?q=batteries'), hostile.apiKey)).status).toBe(200);
  });

  it('leave nothing running in Postgres', async () => {
    const [{ count }] = await service.app.get(DataSource).query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE application_name = 'wss-search' AND datname = current_database() AND state = 'active'`,
    );
    expect(count).toBe(0);
  });

  it('shows the use of every pool in the metrics', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    for (const pool of ['control', 'search', 'export'])
      expect(metrics).toMatch(new RegExp(`wss_db_pool_in_use\\{pool="${pool}"\\} \\d+`));
    for (const pool of ['control', 'search'])
      expect(metrics).toMatch(new RegExp(`wss_db_pool_wait_seconds_count\\{pool="${pool}"\\} [1-9]`));
  });
});

describe('a Postgres that falls silent', () => {
  let service: BreakableApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startBreakableApplication({
      // Not shorter: after the silence, 20 requests at once have to be answered within it on a busy machine.
      DATABASE_STATEMENT_TIMEOUT_MS: '1000',
      SEARCH_TIMEOUT_MS: '1000',
    });
    workspace = await service.createWorkspace();
  });

  it('leaves no connection in the pool that waits for a lost response', async () => {
    const path = workspace.path('/jobs');
    await Promise.all(Array.from({ length: 8 }, () => get(service, path, workspace.apiKey)));
    service.postgres.silence();
    const lost = await Promise.all(Array.from({ length: 8 }, () => get(service, path, workspace.apiKey)));
    expect(new Set(lost.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    service.postgres.resume();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(service, path, workspace.apiKey)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a Postgres that refuses connections as a process starts', () => {
  it('is tried five times', async () => {
    let tried = 0;
    const server = createServer((socket) => {
      tried += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const environment = parseEnvironment({ DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/x` });
    const imports = [ConfigModule.with(environment), DatabaseModule];
    await expect(
      NestFactory.createApplicationContext(
        { module: class {}, imports },
        { logger: false, abortOnError: false },
      ),
    ).rejects.toThrow('Postgres is unavailable');
    server.close();
    expect(tried).toBe(5);
  });
});
