import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { AlertMatchingModule } from '../../src/alerts/alert-matching.module.js';
import { ReportsModule } from '../../src/alerts/reports.module.js';
import { CollectModule } from '../../src/collect/collect.module.js';
import { ErasedAccounts } from '../../src/collect/removal/erased-accounts.js';
import { ErasedStreams } from '../../src/collect/removal/erased-streams.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { CommentsModule } from '../../src/content/comments.module.js';
import { ContentModule } from '../../src/content/content.module.js';
import { MediaStaging } from '../../src/content/media/media-staging.js';
import { MediaStore } from '../../src/content/media/media-store.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import { PostsModule } from '../../src/content/posts.module.js';
import { StoriesModule } from '../../src/content/stories.module.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { ErasedNotifications } from '../../src/deliver/queue/erased-notifications.js';
import { Pruner } from '../../src/infrastructure/pruning/pruner.js';
import { ErasurePass } from '../../src/privacy/erasures/erasure-pass.js';
import { ErasureWorker } from '../../src/privacy/erasures/erasure-worker.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { DigestSender } from '../../src/alerts/digests/digest-sender.js';
import type { ReportContentDto } from '../../src/alerts/reports/report-content.dto.js';
import { ReportFiguresService } from '../../src/alerts/reports/report-figures.service.js';
import { reportOf } from '../../src/alerts/reports/report-of.js';
import { periodsBefore } from '../../src/alerts/reports/report-period.js';
import { ReportSender } from '../../src/alerts/reports/report-sender.js';
import type { Report } from '../../src/alerts/reports/report.entity.js';
import { Clock } from '../../src/common/clock.js';
import type { PollingLoop } from '../../src/common/polling-loop.js';
import { DatabaseClock, PostgresClock } from '../../src/database/database-clock.js';
import { START } from '../../src/collect/scraping/listing-checkpoint.js';
import { ENVIRONMENT, type Environment } from '../../src/config/environment.js';
import { BatchWriter } from '../../src/collect/scraping/batch-writer.js';
import type { JobExecution } from '../../src/collect/scraping/job-execution.js';
import { JobExecutor } from '../../src/collect/scraping/job-executor.js';
import { parseCheckpoint } from '../../src/collect/scraping/listing-checkpoint.js';
import { JobWorker } from '../../src/collect/scraping/job-worker.js';
import { WorkListRepository } from '../../src/collect/scraping/work-list.repository.js';
import { ScrapingMetrics } from '../../src/collect/scraping/scraping-metrics.js';
import { JobMetrics } from '../../src/collect/jobs/job-metrics.js';
import { JobQueue } from '../../src/collect/jobs/job-queue.js';
import { SchedulesTicker } from '../../src/collect/schedules/schedules-ticker.js';
import { OutboxRelay } from '../../src/deliver/relay/outbox-relay.js';
import { DeliverySender } from '../../src/deliver/sender/delivery-sender.js';
import { SenderWakeUp } from '../../src/deliver/queue/sender-wake-up.js';
import { PluginRegistry } from '../../src/enrichment/plugins/plugin-registry.js';
import { PluginRunner } from '../../src/enrichment/plugins/plugin-runner.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { REDIS } from '../../src/infrastructure/queue/redis.js';
import { SecretBox } from '../../src/infrastructure/secrets/secret-box.js';
import { Tracing } from '../../src/infrastructure/tracing/tracing.js';
import { SearchService } from '../../src/search/search.service.js';
import { Container } from './container.js';
import type { Held } from './models/leases.js';
import type { Random } from './random.js';
import type { Actor } from './virtual-time.js';
import type { World, WorldPost } from './world.js';

const POSTS_OF_PAGE = 6;
/** How many of the newest posts a listing shows. */
const LISTED = 24;
/** Which register how their rows are removed, their quotas and traces. */
const OWNERS = [
  AlertMatchingModule,
  CollectModule,
  CommentsModule,
  ContentModule,
  PostsModule,
  ReportsModule,
  StoriesModule,
  ErasedAccounts,
  ErasedNotifications,
  ErasedStreams,
];
/** The loops run only when they are woken. */
const NEVER_MS = 1e12;

export const KINDS = ['schedules', 'jobs', 'relay', 'sender', 'digests', 'reports', 'erasures'] as const;
/** A kind of repeated work. */
export type Kind = (typeof KINDS)[number];

/** A process of the service with the roles worker and scheduler. */
export interface ServiceProcess extends Actor {
  /** What its clock adds to the time. */
  skewMs: number;
  /** When it was last paused, or lost a connection: its leases may have ended since. */
  disturbedAt: number;
  /** The owner of its leases of deliveries. */
  sender: string;
  container: Container;
  /** Lets a kind of work run as its loop or timer does. */
  wake: Record<Kind, () => void>;
}

/** What the processes of a simulation have in common. */
export interface Surroundings {
  dataSource: DataSource;
  environment: Environment;
  secrets: SecretBox;
  world: World;
  random: Random;
  now: () => number;
  /** Called when a process begins with a job or a step of an erasure, and when it ends. */
  works: (process: ServiceProcess, held: Held, begins: boolean) => void;
  /** Whether to fail some reads of the platform. */
  isHealed: () => boolean;
}

/** Starts a process. */
export function startProcess(name: string, surroundings: Surroundings): ServiceProcess {
  const { dataSource, environment, secrets, random, now } = surroundings;
  const skewMs = random.below(4_000) - 2_000;
  const clock: Clock = { now: () => new Date(now() + skewMs) };
  const container = new Container(dataSource, [
    [ENVIRONMENT, environment],
    [REDIS, {}],
    [Clock, clock],
    [DatabaseClock, new PostgresClock(dataSource)],
    [SecretBox, secrets],
    [SearchService, {}],
    [Tracing, new Tracing(null)],
    [MetricsRegistry, { registry: { registerMetric: () => undefined } }],
    [ScrapingMetrics, { running: { set: nothing }, leasesLost: { inc: nothing }, batchWritten: nothing }],
    [JobMetrics, { end: nothing }],
    [JobQueue, { enqueue: () => Promise.resolve(true) }],
    [SenderWakeUp, { send: nothing, listen: nothing }],
    [OutboundHttpClient, new OutboundHttpClient(environment.OUTBOUND_ALLOWED_CIDRS)],
    [ReportFiguresService, { content: emptyReport }],
    [Pruner, { add: nothing }],
    [MediaStore, { removeUnshared: () => Promise.resolve([]) }],
    [MediaStaging, {}],
    [PluginRegistry, { runner: () => new PluginRunner() }],
    [
      JobExecutor,
      { execute: (execution: JobExecution) => scrape(actor, execution, storing(), surroundings) },
    ],
  ]);
  const actor: ServiceProcess = {
    ...{ name, isDead: false, pausedUntil: 0, skewMs, disturbedAt: -Infinity, sender: '', container },
    wake: {} as ServiceProcess['wake'],
  };
  const storing = () => ({
    writer: container.get(BatchWriter),
    workList: container.get(WorkListRepository),
  });
  for (const owner of OWNERS) container.get(owner);
  const sender = container.get(DeliverySender);
  actor.sender = (sender as unknown as { owner: string }).owner;
  watchErasures(actor, surroundings);
  const ticker = container.get(SchedulesTicker);
  actor.wake = {
    schedules: () => void ticker.tick(),
    jobs: wakerOf(container.get(JobWorker)),
    relay: wakerOf(container.get(OutboxRelay)),
    sender: wakerOf(sender),
    digests: wakerOf(container.get(DigestSender)),
    reports: wakerOf(container.get(ReportSender)),
    erasures: wakerOf(
      container.get(ErasureWorker),
      new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], container.get(TransactionRunner)),
    ),
  };
  return actor;
}

function watchErasures(actor: ServiceProcess, { works }: Surroundings): void {
  const pass = actor.container.get(ErasurePass);
  const step = pass.step.bind(pass);
  pass.step = async (erasure, signal) => {
    const held = { id: erasure.id, owner: '' };
    works(actor, held, true);
    return step(erasure, signal).finally(() => works(actor, held, false));
  };
}

const emptyReport = (_workspaceId: string, report: Report, now: Date): Promise<ReportContentDto> => {
  const none = { lines: [], trend: [], new_stories: [], to_answer: [], not_read: [] };
  const { name, every, timezone } = report;
  return Promise.resolve(
    reportOf({ name, every, timezone, ...periodsBefore(report, now.getTime()), ...none }),
  );
};

const nothing = (): void => undefined;

function wakerOf(...works: readonly object[]): () => void {
  const loops = works.map((work) => (work as { loop: PollingLoop }).loop);
  for (const loop of loops) Object.assign(loop, { intervalMs: NEVER_MS });
  return () => loops.forEach((loop) => loop.wake());
}

/** Reads the platform's listing from the checkpoint on, page by page, in place of the service's walks. */
async function scrape(
  actor: ServiceProcess,
  execution: JobExecution,
  { writer, workList }: { writer: BatchWriter; workList: WorkListRepository },
  { world, random, works, isHealed }: Surroundings,
): Promise<void> {
  const held = { id: execution.job.id, owner: execution.lease.owner };
  works(actor, held, true);
  try {
    await storeComments(execution, writer, await unread(execution, workList, world));
    let checkpoint = parseCheckpoint(execution.lease.checkpoint) ?? START;
    for (;;) {
      await sleep(500 + random.below(random.chance(0.1) ? 15_000 : 3_000), undefined, {
        signal: execution.signal,
      }).catch(() => execution.signal.throwIfAborted());
      if (!isHealed() && random.chance(0.03)) throw new Error('The platform did not answer');
      const listed = world.posts.get(execution.job.target)!.slice(-LISTED);
      const begin = listed.findIndex(({ row }) => row.id === checkpoint.after) + 1;
      const page = listed.slice(begin, begin + POSTS_OF_PAGE);
      if (page.length === 0) return;
      const [pages, items] = [checkpoint.pages + 1, checkpoint.items + page.length];
      checkpoint = { ...checkpoint, after: page.at(-1)!.row.id, pages, items };
      await store(execution, writer, page, checkpoint);
    }
  } finally {
    works(actor, held, false);
  }
}

async function store(
  execution: JobExecution,
  writer: BatchWriter,
  page: readonly WorldPost[],
  checkpoint: typeof START,
): Promise<void> {
  // Copies, because the platform changes while they are being stored.
  const read = page.map(({ row, comments }) => ({ row: { ...row }, comments: [...comments] }));
  const withComments = read.filter(({ comments }) => comments.length > 0);
  await writer.writePosts(execution, {
    posts: read.map(({ row }) => ({
      row: { ...row, annotations: {}, scrapedAt: execution.clock.now() },
      phraseKeys: new Uint32Array(),
    })),
    addsOnly: false,
    firstPosition: checkpoint.items - read.length,
    treesPending: new Set(withComments.map(({ row }) => row.id)),
    media: [],
    checkpoint,
  });
  await storeComments(execution, writer, withComments);
}

/** The posts whose comments an earlier execution left. */
async function unread(
  { job }: JobExecution,
  workList: WorkListRepository,
  world: World,
): Promise<WorldPost[]> {
  const ids = new Set(await workList.pendingTrees(job.workspaceId, job.id));
  return world.posts.get(job.target)!.filter(({ row }) => ids.has(row.id));
}

async function storeComments(
  execution: JobExecution,
  writer: BatchWriter,
  posts: readonly Pick<WorldPost, 'row' | 'comments'>[],
): Promise<void> {
  if (posts.length === 0) return;
  const trees = posts.map(({ row, comments }) => ({
    postId: row.id,
    comments: comments.length,
    missing: 0,
    done: true,
  }));
  const rows = posts.flatMap(({ comments }) => comments);
  const comments = rows.map((row) => ({ ...row, annotations: {}, scrapedAt: execution.clock.now() }));
  await writer.writeComments(execution, { comments, trees });
}

/** A key for the secrets of a simulation. */
export const newSecrets = (): SecretBox => new SecretBox([randomBytes(32)]);
