import { insertJob, type Installation, waitUntil } from '../../scripts/bench/support/jobs.js';
import { createTestDatabase } from '../support/database.js';
import { createTestRedis, type TestRedis } from '../support/redis.js';
import { type Result, resultOf } from './support/results.js';
import { Worker } from './support/worker.js';
import { openSandbox } from '../support/sandbox.js';

const JOB = { target: 'chaos', limit: 120 };
const TIMEOUT_MS = 180_000;

const sandbox = await openSandbox({ latencyMs: 20, forums: { chaos: { posts: 150 } } });
const database = await createTestDatabase();

describe('a scrape whose worker or Redis fails', () => {
  let redis: TestRedis;
  let installation: Installation;
  let undisturbed: Result;
  const workers: Worker[] = [];

  const startWorker = async (): Promise<Worker> => {
    const worker = new Worker(installation);
    workers.push(worker);
    return worker.ready();
  };

  beforeAll(async () => {
    redis = await createTestRedis();
    installation = { databaseUrl: database.url, redisUrl: redis.url, platformUrl: sandbox.baseUrl };
    const worker = await startWorker();
    const { workspaceId, jobId } = await insertJob(database.url, JOB);
    await waitUntil(database.url, jobId, () => false, TIMEOUT_MS);
    undisturbed = await resultOf(database.url, workspaceId);
    await worker.end('SIGTERM');
  });

  afterAll(async () => {
    for (const worker of workers) await worker.end('SIGKILL');
    await redis.wipe();
  });

  it('counts exactly what it stored', () => {
    expect(undisturbed).toMatchObject({ status: 'completed', error: null, posts: 120, events: 1 });
    expect(undisturbed.comments).toBeGreaterThan(500);
    expect(undisturbed.storedPosts).toBe(undisturbed.posts);
    expect(undisturbed.storedComments).toBe(undisturbed.comments);
  });

  it.each([
    ['before its first comments', 0.01],
    ['half way', 0.5],
  ])('ends with the same result when its worker is killed %s', async (_, share) => {
    const { workspaceId, jobId } = await insertJob(database.url, JOB);
    const first = await startWorker();
    await waitUntil(database.url, jobId, (job) => job.comments >= share * undisturbed.comments, TIMEOUT_MS);
    await first.end('SIGKILL');
    const second = await startWorker();
    await waitUntil(database.url, jobId, () => false, TIMEOUT_MS);
    expect(await resultOf(database.url, workspaceId)).toEqual(undisturbed);
    await second.end('SIGTERM');
  });

  it('ends with the same result when Redis is wiped and the worker is stopped', async () => {
    const { workspaceId, jobId } = await insertJob(database.url, JOB);
    const first = await startWorker();
    await waitUntil(database.url, jobId, (job) => job.comments > 0, TIMEOUT_MS);
    await redis.wipe();
    await first.end('SIGTERM');
    const second = await startWorker();
    await waitUntil(database.url, jobId, () => false, TIMEOUT_MS);
    expect(await resultOf(database.url, workspaceId)).toEqual(undisturbed);
    await second.end('SIGTERM');
  });
});
