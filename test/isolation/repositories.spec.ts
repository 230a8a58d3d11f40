import { randomUUID } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { EntityManager } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { DueSchedulesRepository } from '../../src/collect/schedules/due-schedules.repository.js';
import { JobProgressRepository } from '../../src/collect/jobs/job-progress.repository.js';
import { JobExecutionsRepository } from '../../src/collect/scraping/job-executions.repository.js';
import { WorkListRepository } from '../../src/collect/scraping/work-list.repository.js';
import { MediaRepository } from '../../src/content/media/media.repository.js';
import { DeliveriesRepository } from '../../src/deliver/queue/deliveries.repository.js';
import { DeliveryClaimsRepository } from '../../src/deliver/queue/delivery-claims.repository.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { ExportLeasesRepository } from '../../src/takeout/exports/export-leases.repository.js';
import { copyWorkspace, digestWorkspace, type RowDigests } from '../support/rows.js';
import { startTwoWorkspaces } from '../support/two-workspaces.js';

/**
 * Methods whose callers serve all workspaces, so that row security does not limit them: each names a workspace itself.
 * On a cluster without row security, test/isolation/operations.spec.ts tests the others.
 */

const LEASE_OWNER = '11111111-2222-4333-8444-555555555555';
const MINUTE_MS = 60_000;

let app: INestApplication;
/** A workspace whose rows have the ids of those of `b`. */
const twinOfB = randomUUID();
let eventId: string;

const both = await startTwoWorkspaces();
beforeAll(async () => {
  // Never initialised, so that no worker, relay or scheduler starts.
  const module = await Test.createTestingModule({
    imports: [AppModule.for({ ...both.service.environment, ROLES: ['api', 'worker', 'scheduler'] })],
  }).compile();
  app = module.createNestApplication();
  await completeB();
  await copyWorkspace(both.dataSource, both.b.workspaceId, twinOfB);
});
afterAll(async () => {
  await app?.close();
});

/** Adds rows to `b` that only a worker creates. */
async function completeB(): Promise<void> {
  const { b, dataSource } = both;
  const query = <T>(sql: string, ...given: unknown[]): Promise<T[]> =>
    dataSource.query<T[]>(sql, [b.workspaceId, ...given]);
  await query(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = now(), completed_at = NULL,
       lease_owner = $3, leased_until = now() + interval '1 hour' WHERE workspace_id = $1 AND id = $2`,
    b.deliveries.ofOtherWebhook,
    LEASE_OWNER,
  );
  // Not due, so that a change is visible.
  await query(`UPDATE destination_queues SET due_at = now() + interval '1 hour' WHERE workspace_id = $1`);
  await query(
    `INSERT INTO job_executions (workspace_id, job_id, is_small, lease_owner, lease_until, attempts, keywords_version)
     VALUES ($1, $2, true, $4, now() + interval '1 hour', 1, 0), ($1, $3, true, NULL, now() - interval '1 hour', 1, 0)`,
    b.jobs.running,
    b.jobs.cancelled,
    LEASE_OWNER,
  );
  await query(
    `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, phrase_keys)
     VALUES ($1, $2, $3, 0, true, '\\x00')`,
    b.jobs.running,
    b.postId,
  );
  await query(
    `UPDATE exports SET status = 'running', started_at = now(), lease_owner = $3,
       lease_until = now() + interval '1 hour' WHERE workspace_id = $1 AND id = $2`,
    b.exports.running,
    LEASE_OWNER,
  );
  const [event] = await query<{ event_id: string }>(
    'SELECT event_id FROM deliveries WHERE workspace_id = $1 AND id = $2',
    b.deliveries.pending,
  );
  eventId = event!.event_id;
}

const get = <T>(type: new (...given: never[]) => T): T => app.get(type, { strict: false });
const hook = (workspaceId: string) => ({ workspaceId, kind: 'webhook' as const, id: both.b.webhookId });

/** Calls that name rows of `b` under a workspace. */
const CALLS: Record<string, (workspaceId: string, tx: EntityManager) => Promise<unknown>> = {
  'JobExecutionsRepository.takeOver': (w, tx) =>
    get(JobExecutionsRepository).takeOver(
      w,
      both.b.jobs.cancelled,
      { owner: randomUUID(), leaseMs: MINUTE_MS },
      tx,
    ),
  'JobExecutionsRepository.remove': (w, tx) =>
    get(JobExecutionsRepository).remove(w, both.b.jobs.running, LEASE_OWNER, tx),
  'JobProgressRepository.complete': (w, tx) =>
    get(JobProgressRepository).complete(w, both.b.jobs.running, { status: 'completed' } as never, {}, tx),
  'WorkListRepository.removeAll': (w, tx) =>
    get(WorkListRepository).removeAll([{ workspaceId: w, id: both.b.jobs.running }], tx),
  'ExportLeasesRepository.claim': (w, tx) =>
    get(ExportLeasesRepository).claim(
      w,
      both.b.exports.pending,
      { owner: randomUUID(), leaseMs: MINUTE_MS },
      tx,
    ),
  'ExportLeasesRepository.end': (w, tx) =>
    get(ExportLeasesRepository).end(
      w,
      both.b.exports.running,
      LEASE_OWNER,
      { status: 'failed', errorMessage: 'x' } as never,
      tx,
    ),
  'MediaRepository.delete': (w, tx) => get(MediaRepository).delete(w, [both.b.mediaId], tx),
  'DeliveriesRepository.findPendingEvents': (w, tx) =>
    get(DeliveriesRepository)
      .findPendingEvents([{ workspaceId: w, id: eventId }], tx)
      .then((ids) => [...ids]),
  'DeliveryClaimsRepository.lease': async (w, tx) => {
    const leased = await get(DeliveryClaimsRepository).lease(
      randomUUID(),
      MINUTE_MS,
      [{ queue: { ...hook(w), failures: 0 }, count: 10, pauseMs: 0 }] as never,
      tx,
    );
    return leased.flatMap(({ deliveries }) => deliveries);
  },
  'DeliveryClaimsRepository.updateQueues': (w, tx) =>
    get(DeliveryClaimsRepository).updateQueues(
      [
        {
          destination: hook(w),
          anySuccess: false,
          failures: 3,
          failingSince: new Date(),
          lastAt: new Date(),
          retryInMs: 0,
        },
      ] as never,
      tx,
    ),
  'DueSchedulesRepository.applyPlans': (w, tx) =>
    get(DueSchedulesRepository).applyPlans(
      [
        {
          schedule: { workspaceId: w, id: both.b.scheduleId },
          dueAt: new Date(),
          nextRunAt: new Date(),
          job: null,
          skip: { reason: 'timing_unusable', detail: 'a test' },
          pause: true,
        },
      ] as never,
      new Set([both.b.scheduleId]),
      new Date(),
      tx,
    ),
  'OutboxRepository.delete': (w, tx) => get(OutboxRepository).delete([{ workspaceId: w, id: eventId }], tx),
};

/** The result of a call, and the state of the rows of `b` before and after it. */
interface Outcome {
  result: unknown;
  before: RowDigests;
  after: RowDigests;
}

/** Calls a method under a workspace's id, in a transaction that is rolled back. */
async function run(name: string, workspaceId: string): Promise<Outcome> {
  const runner = both.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    const before = await digestWorkspace(runner.manager, both.b.workspaceId);
    const result = await CALLS[name]!(workspaceId, runner.manager);
    return { result, before, after: await digestWorkspace(runner.manager, both.b.workspaceId) };
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Whether a result means that nothing was found. */
const isNothing = (result: unknown): boolean => (Array.isArray(result) ? result.every(isNothing) : !result);

describe.each(Object.keys(CALLS))('%s', (name) => {
  it("finds nothing with another workspace's id, and changes nothing", async () => {
    const { result, before, after } = await run(name, both.a.workspaceId);
    expect(isNothing(result) ? 'nothing' : result).toBe('nothing');
    expect(after).toEqual(before);
  });

  it('changes no row that has the same id in another workspace, and returns none', async () => {
    const { result, before, after } = await run(name, twinOfB);
    expect(after).toEqual(before);
    const rows = Array.isArray(result) ? result.map((row) => JSON.stringify(row)) : [];
    expect(new Set(rows).size).toBe(rows.length);
  });

  it("finds or changes something with the workspace's own id", async () => {
    const { result, before, after } = await run(name, both.b.workspaceId);
    const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
    expect(isNothing(result) && !hasChanged).toBe(false);
  });
});

it('a file is shared only with posts of its own workspace', async () => {
  const { a, b, dataSource } = both;
  await dataSource.query(
    `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
     SELECT $1, gen_random_uuid(), 't3_same_path', url, url_hash, content_type, size, sha256, path, created_at
     FROM media_files WHERE workspace_id = $2 AND id = $3`,
    [a.workspaceId, b.workspaceId, b.mediaId],
  );
  const [copied] = await get(MediaRepository).listOfPosts(a.workspaceId, ['t3_same_path']);
  const stored = await get(MediaRepository).listStoredBefore(a.workspaceId, new Date(), 1_000);
  const listed = stored.filter(({ path }) => path === copied!.path);
  expect([copied, ...listed].map((file) => file!.isShared)).toEqual([false, false]);
});
