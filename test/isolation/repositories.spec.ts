import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type EntityManager, QueryFailedError } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { Alert } from '../../src/alerts/alert/alert.entity.js';
import { ApiKey } from '../../src/access/api-keys/api-key.entity.js';
import { Job } from '../../src/collect/jobs/job.entity.js';
import { Schedule } from '../../src/collect/schedules/schedule.entity.js';
import { MediaRepository, urlHash } from '../../src/content/media/media.repository.js';
import { Webhook } from '../../src/deliver/webhooks/webhook.entity.js';
import { copyWorkspace, digestWorkspace, type RowDigests, uuidsOfWorkspace } from '../support/rows.js';
import { startTwoWorkspaces, type TwoWorkspaces } from '../support/two-workspaces.js';
import {
  LEASE_OWNER,
  FINGERPRINT_OF_B,
  MEDIA_URL,
  ONLY_IN_B,
  type Probe,
  SESSION_OF_B,
  VERSION_OF_B,
} from './repository-case.js';
import { REPOSITORY_CASES } from './repository-cases.js';

const SOURCE = join(import.meta.dirname, '../../../src');
const COMPILED = join(import.meta.dirname, '../../src');
const FOREIGN_KEY_VIOLATION = '23503';

type Repository = Record<string, (...given: unknown[]) => unknown>;
type RepositoryClass = new (...given: never[]) => Repository;

/** Files of repositories below `src`, with the public methods of each class, read from its source. */
function repositoryMethods(): { file: string; className: string; methods: string[] }[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.repository.ts'))
    .map((file) => {
      const source = readFileSync(join(SOURCE, file), 'utf8');
      const className = /^export class (\w+)/m.exec(source)![1]!;
      const methods = [...source.matchAll(/^ {2}(?:async )?(?:get )?(?:\*)?(\w+)(?:<[^(]*>)?\(/gm)];
      return { file, className, methods: methods.map(([, name]) => name!) };
    })
    .map((one) => ({ ...one, methods: one.methods.filter((name) => name !== 'constructor') }));
}

const found = repositoryMethods();
const names = found.flatMap(({ className, methods }) => methods.map((method) => `${className}.${method}`));
/** Methods that remove rows which others look for, or add rows outside the transaction, come last. */
const cases = Object.keys(REPOSITORY_CASES).sort((one, other) => weight(one) - weight(other));
function weight(name: string): number {
  return /\.(delete|revoke|cancel|finish|release)$/.test(name) ? 1 : name.endsWith('.insert') ? 2 : 0;
}

let both: TwoWorkspaces;
let app: INestApplication;
let classes: Map<string, RepositoryClass>;
/** A workspace whose rows have the ids of those of `b`. */
const twinOfB = randomUUID();
let uuidsOfB: string[];
let probe: Omit<Probe, 'tx' | 'entity'>;
let entitiesOfB: Record<Parameters<Probe['entity']>[0], object>;

beforeAll(async () => {
  both = await startTwoWorkspaces();
  // Never initialised, so that no worker, relay or scheduler starts.
  const module = await Test.createTestingModule({
    imports: [AppModule.for({ ...both.service.environment, ROLES: ['api', 'worker', 'scheduler'] })],
  }).compile();
  app = module.createNestApplication();
  classes = new Map();
  for (const { file, className } of found) {
    const module = (await import(join(COMPILED, file.replace(/ts$/, 'js')))) as Record<
      string,
      RepositoryClass
    >;
    classes.set(className, module[className]!);
  }
  probe = await completeB();
  await copyWorkspace(both.dataSource, both.b.workspaceId, twinOfB);
  entitiesOfB = await readEntities();
  const ofA = await uuidsOfWorkspace(both.dataSource, both.a.workspaceId);
  uuidsOfB = [...(await uuidsOfWorkspace(both.dataSource, both.b.workspaceId))].filter(
    (uuid) => !ofA.has(uuid),
  );
});
afterAll(async () => {
  await app?.close();
  await both?.close();
});

/** Adds rows to `b` that only a worker or a repeated request creates. */
async function completeB(): Promise<typeof probe> {
  const { b, dataSource } = both;
  const query = <T>(sql: string, ...given: unknown[]): Promise<T[]> =>
    dataSource.query<T[]>(sql, [b.workspaceId, ...given]);
  const idempotencyKey = { apiKeyId: b.keyId, key: 'answered', lease: '2026-01-01T00:00:00Z' };
  for (const [key, age] of [
    ['answered', '1 minute'],
    ['unanswered', '1 minute'],
    ['old', '2 days'],
  ])
    await query(
      `INSERT INTO idempotency_keys (workspace_id, api_key_id, key, fingerprint, sealed_body, lease_until, created_at)
       VALUES ($1, $2, $3, '\\x00', 'sealed', $5, now() - $4::interval)`,
      b.keyId,
      key,
      age,
      idempotencyKey.lease,
    );
  await query(`UPDATE idempotency_keys SET status = 201 WHERE workspace_id = $1 AND key <> 'unanswered'`);
  await query(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = now(), completed_at = NULL,
       lease_owner = $3, leased_until = now() + interval '1 hour' WHERE workspace_id = $1 AND id = $2`,
    b.deliveries.ofOtherWebhook,
    LEASE_OWNER,
  );
  // Not due, so that a change is visible.
  await query(`UPDATE destination_queues SET due_at = now() + interval '1 hour' WHERE workspace_id = $1`);
  await query(
    `UPDATE alerts SET channel_failing_since = NULL, channel_disabled_reason = NULL WHERE workspace_id = $1`,
  );
  await query(
    `INSERT INTO job_executions (workspace_id, job_id, is_small, lease_owner, lease_until, attempts, keywords_version)
     VALUES ($1, $2, true, $4, now() + interval '1 hour', 1, 0), ($1, $3, true, NULL, now() - interval '1 hour', 1, 0)`,
    b.jobs.running,
    b.jobs.cancelled,
    LEASE_OWNER,
  );
  await query(
    `UPDATE exports SET status = 'running', started_at = now(), lease_owner = $3,
       lease_until = now() + interval '1 hour' WHERE workspace_id = $1 AND id = $2`,
    b.exports.running,
    LEASE_OWNER,
  );
  await query(
    `INSERT INTO erased_hashes (workspace_id, erasure_id, hash) VALUES ($1, $2, '\\x00')`,
    b.erasureId,
  );
  await query(
    `INSERT INTO labels (workspace_id, labeller, record_id, label)
     VALUES ($1, 'other', $2, 'good'), ($1, 'third', $2, 'bad')`,
    both.postOfB,
  );
  await query(
    `UPDATE datasets SET status = 'running', frozen_at = now(), lease_owner = $3,
       lease_until = now() + interval '1 hour' WHERE workspace_id = $1 AND id = $2`,
    b.datasets.unfinished,
    LEASE_OWNER,
  );
  await query(
    `INSERT INTO export_parts (workspace_id, export_id, number, key, rows, bytes, sha256)
     VALUES ($1, $2, 1, 'x', 0, 0, 'x')`,
    b.exports.running,
  );
  await query(
    `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, phrase_keys)
     VALUES ($1, $2, $3, 0, true, '\\x00')`,
    b.jobs.running,
    b.postId,
  );
  await query(
    `INSERT INTO job_stored_posts (workspace_id, job_id, post_ids) VALUES ($1, $2, '{t3_stored}')`,
    b.jobs.running,
  );
  for (const [url, bytes] of [
    [MEDIA_URL, 0],
    [`${MEDIA_URL}/done`, 5],
  ] as const)
    await query(
      `INSERT INTO job_media (workspace_id, job_id, post_id, url, url_hash, pending, bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      b.jobs.running,
      b.postId,
      url,
      urlHash(url),
      bytes === 0,
      bytes,
    );
  await query(
    `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
     VALUES ($1, $2, $3, $4, $5, 'image/png', 1, 'x', 'x', now())`,
    randomUUID(),
    ONLY_IN_B,
    MEDIA_URL,
    urlHash(MEDIA_URL),
  );
  await query(
    `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
       status, started_at, completed_at, posts_scraped)
     SELECT $1, gen_random_uuid(), $2, 'forum', 'full', 10, false, false, 'completed', started_at, now(), 5
     FROM generate_series(now() - interval '2 days', now(), interval '1 day') AS started_at`,
    ONLY_IN_B,
  );
  await query(
    `INSERT INTO keyword_frequencies (workspace_id, version, state) VALUES ($1, $2, '\\x00')`,
    VERSION_OF_B,
  );
  await query(
    `INSERT INTO sessions (workspace_id, token_hash, id, kind, api_key_id, expires_at)
     VALUES ($1, $2, gen_random_uuid(), 'session', $3, now() + interval '1 hour')`,
    SESSION_OF_B,
    b.keyId,
  );
  await query(
    `INSERT INTO api_keys (workspace_id, id, name, key_prefix, key_hash, scopes, is_active)
     VALUES ($1, gen_random_uuid(), 'revoked', 'rp_', '\\x00', '{read}', false)`,
  );
  await query(
    `INSERT INTO dump_imports (workspace_id, fingerprint, file, lines, posts, comments, damaged_lines)
     VALUES ($1, $2, 'RS.zst', 1, 1, 0, 0)`,
    FINGERPRINT_OF_B,
  );
  await query(
    `INSERT INTO post_scores (workspace_id, post_id, seen_at, score, upvote_ratio, num_comments)
     VALUES ($1, $2, now(), 1, 1, 1)`,
    both.postOfB,
  );
  await query(
    `INSERT INTO content_rechecks (workspace_id, source, kind, due_at, lease_until)
     VALUES ($1, 'reddit', 'posts', now(), now())`,
  );
  await query(`UPDATE workspaces SET quotas = '{"alerts": 77}', status = 'deleting' WHERE id = $1`);
  const waitingEventId = randomUUID();
  await query(
    `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data)
     VALUES ($1, $2, 'job.completed', 'waiting', 'job', $3, '{}')`,
    waitingEventId,
    b.jobs.completed,
  );
  const [{ commentOfB }] = (await query<{ commentOfB: string }>(
    `SELECT comment_id AS "commentOfB" FROM comments WHERE workspace_id = $1
     EXCEPT SELECT comment_id FROM comments WHERE workspace_id = $2 LIMIT 1`,
    both.a.workspaceId,
  )) as [{ commentOfB: string }];
  const [{ eventId }] = (await query<{ eventId: string }>(
    'SELECT event_id AS "eventId" FROM deliveries WHERE workspace_id = $1 AND id = $2',
    b.deliveries.pending,
  )) as [{ eventId: string }];
  return {
    b,
    eventId,
    waitingEventId,
    postOfB: both.postOfB,
    commentOfB,
    idempotencyKey,
    keyHash: randomBytes(32),
  };
}

/** The result of a method, and the state of the rows of `b` before and after it. */
interface Outcome {
  result: unknown;
  before: RowDigests;
  after: RowDigests;
}

/** Calls a method under a workspace's id, in a transaction that is rolled back. */
async function run(name: string, workspaceId: string): Promise<Outcome> {
  const [className, method] = name.split('.') as [string, string];
  const repository = app.get<Repository>(classes.get(className)!, { strict: false });
  const given = argumentsOf(name);
  const runner = both.dataSource.createQueryRunner();
  await runner.startTransaction();
  const digestB = () => digestWorkspace(runner.manager, both.b.workspaceId);
  try {
    const entity = entitiesFor(workspaceId);
    const before = await digestB();
    const result = await repository[method]!(...given(workspaceId, { ...probe, tx: runner.manager, entity }));
    return { result, before, after: await digestB() };
  } catch (error) {
    // The schema refuses a row that would refer to another workspace's row.
    if (!(error instanceof QueryFailedError)) throw error;
    if ((error.driverError as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    return { result: undefined, before: {}, after: {} };
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

function argumentsOf(name: string): (workspaceId: string, probe: Probe) => unknown[] {
  const entry = REPOSITORY_CASES[name]!;
  return 'foreign' in entry ? entry.foreign : 'own' in entry ? entry.own : () => [];
}

/** Rows of `b` as new rows of a workspace, with the same ids unless the workspace has them already. */
function entitiesFor(workspaceId: string): Probe['entity'] {
  return (table) => ({
    ...entitiesOfB[table],
    workspaceId,
    ...(table === 'apiKey' && { keyHash: randomBytes(32) }),
    ...(workspaceId !== both.a.workspaceId && { id: randomUUID() }),
  });
}

async function readEntities(): Promise<typeof entitiesOfB> {
  const { b, dataSource } = both;
  const { manager } = dataSource;
  const own = { workspaceId: b.workspaceId };
  return {
    alert: await manager.findOneByOrFail(Alert, { ...own, id: b.alertId }),
    webhook: await manager.findOneByOrFail(Webhook, { ...own, id: b.webhookId }),
    schedule: await manager.findOneByOrFail(Schedule, { ...own, id: b.scheduleId }),
    job: await manager.findOneByOrFail(Job, { ...own, id: b.jobs.completed }),
    apiKey: await manager.findOneByOrFail(ApiKey, { ...own, id: b.keyId }),
  };
}

/** Whether the result of a method means that nothing was found or changed. */
function saysNothing(name: string, result: unknown): boolean {
  const entry = REPOSITORY_CASES[name]!;
  return 'foreign' in entry && entry.isNothing ? entry.isNothing(result as never) : isNothing(result);
}

function isNothing(result: unknown): boolean {
  if (result === undefined || result === null || result === false || result === 0) return true;
  if (Array.isArray(result)) return result.every(isNothing);
  if (result instanceof Map || result instanceof Set) return result.size === 0;
  return typeof result === 'object' && 'deliveries' in result && isNothing(result.deliveries);
}

function text(result: unknown): string {
  return (
    JSON.stringify(result, (_, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    ) ?? ''
  );
}

it('has an entry for exactly the public methods of all repositories', () => {
  expect(found.length).toBeGreaterThan(10);
  expect(Object.keys(REPOSITORY_CASES).sort()).toEqual([...names].sort());
});

it('tests them with rows in every table of workspaces', async () => {
  const digests = await digestWorkspace(both.dataSource, both.b.workspaceId);
  const empty = Object.keys(digests).filter((table) => digests[table] === null);
  // Segments of the search index are read by statements, not by a repository.
  expect(empty.filter((table) => !table.startsWith('search_'))).toEqual([]);
});

const tried = cases.filter((name) => !('crosses' in REPOSITORY_CASES[name]!));

describe("with another workspace's id", () => {
  it.each(tried)('%s returns nothing of the other workspace and leaves it unchanged', async (name) => {
    const { result, before, after } = await run(name, both.a.workspaceId);
    const answered = text(result);
    if ('foreign' in REPOSITORY_CASES[name]!)
      expect(saysNothing(name, result) ? 'nothing' : answered).toBe('nothing');
    expect(answered).not.toContain(both.b.mark);
    const given = textGiven(name);
    expect(uuidsOfB.filter((uuid) => answered.includes(uuid) && !given.includes(uuid))).toEqual([]);
    expect(after).toEqual(before);
  });
});

/** Texts that the call itself contains and that may therefore be returned. */
function textGiven(name: string): string {
  const given = argumentsOf(name);
  return text(given(both.a.workspaceId, { ...probe, tx: {} as EntityManager, entity: () => ({}) }));
}

// Before the calls of the workspace itself, some of which change its rows for good.
describe('with the id of a workspace whose rows have the same ids', () => {
  // The rows that it adds already exist.
  const other = tried.filter((name) => name !== 'MediaRepository.insert');
  it.each(other)('%s returns each row once and leaves the other workspace unchanged', async (name) => {
    const { result, before, after } = await run(name, twinOfB);
    expect(after).toEqual(before);
    expect(repeated(result)).toEqual([]);
  });
});

it('a file is shared only with posts of its own workspace', async () => {
  const { a, dataSource } = both;
  await dataSource.query(
    `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
     SELECT $1, gen_random_uuid(), 't3_same_path', url, url_hash, content_type, size, sha256, path, created_at
     FROM media_files WHERE workspace_id = $2 AND post_id = $3`,
    [a.workspaceId, both.b.workspaceId, ONLY_IN_B],
  );
  const media = app.get(MediaRepository, { strict: false });
  const files = [
    await media.listOfPosts(a.workspaceId, ['t3_same_path']),
    (await media.listStoredBefore(a.workspaceId, new Date(), 1_000)).filter(({ path }) => path === 'x'),
  ];
  expect(files.flat().map(({ isShared }) => isShared)).toEqual([false, false]);
});

/** The rows that occur more than once in a list, as text. */
function repeated(result: unknown): string[] {
  if (!Array.isArray(result)) return [];
  const rows = (result as unknown[]).filter((row) => typeof row === 'object').map(text);
  return [
    ...rows.filter((row, index) => rows.indexOf(row) !== index),
    ...(result as unknown[]).flatMap(repeated),
  ];
}

describe("with the workspace's own id", () => {
  it.each(tried.filter((name) => 'foreign' in REPOSITORY_CASES[name]!))(
    '%s finds or changes something: the arguments name rows that exist',
    async (name) => {
      const { result, before, after } = await run(name, both.b.workspaceId);
      const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
      expect({ isNothing: saysNothing(name, result) && !hasChanged }).toEqual({ isNothing: false });
    },
  );
});
