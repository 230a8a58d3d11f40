import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { AlertMatchingModule } from '../../src/alerts/alert-matching.module.js';
import { ReportsModule } from '../../src/alerts/reports.module.js';
import { CollectModule } from '../../src/collect/collect.module.js';
import { ErasedAccounts } from '../../src/collect/removal/erased-accounts.js';
import { ErasedStreams } from '../../src/collect/removal/erased-streams.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { CommentsModule } from '../../src/content/comments.module.js';
import { ContentModule } from '../../src/content/content.module.js';
import { MediaDownloader } from '../../src/content/media/media-downloader.js';
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
import { ENVIRONMENT, type Environment } from '../../src/config/environment.js';
import { RecheckMetrics } from '../../src/collect/rechecks/recheck-metrics.js';
import { RecheckWorker } from '../../src/collect/rechecks/recheck-worker.js';
import { BatchWriter } from '../../src/collect/scraping/batch-writer.js';
import { JobExecutor } from '../../src/collect/scraping/job-executor.js';
import { JobWorker } from '../../src/collect/scraping/job-worker.js';
import { ScrapingMetrics } from '../../src/collect/scraping/scraping-metrics.js';
import { JobMetrics } from '../../src/collect/jobs/job-metrics.js';
import { JobQueue } from '../../src/collect/jobs/job-queue.js';
import { SchedulesTicker } from '../../src/collect/schedules/schedules-ticker.js';
import { OutboxRelay } from '../../src/deliver/relay/outbox-relay.js';
import { DestinationLoader } from '../../src/deliver/sender/destination-loader.js';
import { DeliverySender } from '../../src/deliver/sender/delivery-sender.js';
import { SenderWakeUp } from '../../src/deliver/queue/sender-wake-up.js';
import { TextAnalyzer } from '../../src/enrichment/analyzer.js';
import { PluginRegistry } from '../../src/enrichment/plugins/plugin-registry.js';
import { PluginRunner } from '../../src/enrichment/plugins/plugin-runner.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { REDIS } from '../../src/infrastructure/queue/redis.js';
import { SecretBox } from '../../src/infrastructure/secrets/secret-box.js';
import { Tracing } from '../../src/infrastructure/tracing/tracing.js';
import { Platforms } from '../../src/platforms/platforms.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { SearchService } from '../../src/search/search.service.js';
import { Container } from './container.js';
import type { Held } from './models/leases.js';
import type { ReadingModel } from './models/readings.js';
import { WorldPlatform } from './platform.js';
import { installMail, type MailServer } from './mail.js';
import type { Random } from './random.js';
import type { Actor } from './virtual-time.js';
import type { World } from './world.js';

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
/** Reads only; its files are read once. */
const analyzer = TextAnalyzer.load();
/** The loops run only when they are woken. */
const NEVER_MS = 1e12;

export const KINDS = [
  'schedules',
  'jobs',
  'relay',
  'sender',
  'digests',
  'reports',
  'erasures',
  'rechecks',
] as const;
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
  /** Notes what executions of jobs are shown. */
  readings: ReadingModel;
  note: (text: string) => void;
  mailServer: MailServer;
  /** Whether no more reads of the platform fail. */
  isHealed: () => boolean;
}

/** Starts a process. */
export function startProcess(name: string, surroundings: Surroundings): ServiceProcess {
  const { dataSource, environment, secrets, random, now } = surroundings;
  const skewMs = random.below(4_000) - 2_000;
  const clock: Clock = { now: () => new Date(now() + skewMs) };
  const platform = new WorldPlatform(name, surroundings);
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
    [RecheckMetrics, { count: nothing }],
    [JobQueue, { enqueue: () => Promise.resolve(true) }],
    [SenderWakeUp, { send: nothing, listen: nothing }],
    [OutboundHttpClient, new OutboundHttpClient(environment.OUTBOUND_ALLOWED_CIDRS)],
    [ReportFiguresService, { content: emptyReport }],
    [Pruner, { add: nothing }],
    [MediaStore, { removeUnshared: () => Promise.resolve([]) }],
    [MediaStaging, {}],
    [PluginRegistry, { runner: () => new PluginRunner() }],
    [MediaDownloader, {}],
    [TextAnalyzer, analyzer],
    [Platforms, new Platforms(SOURCES, () => platform)],
  ]);
  const actor: ServiceProcess = {
    ...{ name, isDead: false, pausedUntil: 0, skewMs, disturbedAt: -Infinity, sender: '', container },
    wake: {} as ServiceProcess['wake'],
  };
  for (const owner of OWNERS) container.get(owner);
  installMail(container.get(DestinationLoader), actor, surroundings.mailServer);
  const sender = container.get(DeliverySender);
  actor.sender = (sender as unknown as { owner: string }).owner;
  watchErasures(actor, surroundings);
  watchJobs(actor, surroundings);
  const ticker = container.get(SchedulesTicker);
  actor.wake = {
    schedules: () => void ticker.tick(),
    jobs: wakerOf(container.get(JobWorker)),
    relay: wakerOf(container.get(OutboxRelay)),
    sender: wakerOf(sender),
    digests: wakerOf(container.get(DigestSender)),
    reports: wakerOf(container.get(ReportSender)),
    rechecks: wakerOf(container.get(RecheckWorker)),
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

function watchJobs(actor: ServiceProcess, { works, readings }: Surroundings): void {
  const executor = actor.container.get(JobExecutor);
  const execute = executor.execute.bind(executor);
  executor.execute = async (execution) => {
    const held = { id: execution.job.id, owner: execution.lease.owner };
    works(actor, held, true);
    // It knows that it has lost its lease, though a statement may still wait for a lock of a process that is paused.
    execution.signal.addEventListener('abort', () => works(actor, held, false));
    const reading = readings.begin(actor, execution);
    let isDone = false;
    try {
      await execute(execution);
      isDone = true;
    } finally {
      reading.end(isDone);
      works(actor, held, false);
    }
  };
  const writer = actor.container.get(BatchWriter);
  const [writePosts, writeComments] = [writer.writePosts.bind(writer), writer.writeComments.bind(writer)];
  writer.writePosts = (execution, batch) => readings.storing(execution, () => writePosts(execution, batch));
  writer.writeComments = (execution, batch) =>
    readings.storing(execution, () => writeComments(execution, batch));
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

/** A key for the secrets of a simulation. */
export const newSecrets = (): SecretBox => new SecretBox([randomBytes(32)]);
