import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createApplication } from '../../src/application.js';
import { SystemClock } from '../../src/common/clock.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { searchValue } from '../../src/text/search-value.js';
import { columnsOf } from '../../src/database/entity-columns.js';
import { migrate } from '../../src/database/run-migrations.js';
import { TextAnalyzer } from '../../src/enrichment/analyzer.js';
import { PluginRunner } from '../../src/enrichment/plugins/plugin-runner.js';
import { PluginStep } from '../../src/enrichment/plugins/plugin-step.js';
import { KeywordStep, LanguageStep, SentimentStep } from '../../src/enrichment/text-steps.js';
import { PostRecord } from '../../src/content/posts/post.entity.js';
import { BatchWriter } from '../../src/collect/scraping/batch-writer.js';
import { EnrichmentPipeline } from '../../src/collect/scraping/enrichment-pipeline.js';
import { JobClaims } from '../../src/collect/scraping/job-claims.js';
import type { JobExecution } from '../../src/collect/scraping/job-execution.js';
import { JobWorker } from '../../src/collect/scraping/job-worker.js';
import { START } from '../../src/collect/scraping/listing-checkpoint.js';
import type { PostRow } from '../../src/collect/scraping/records.js';
import { WorkspaceKeywords } from '../../src/collect/scraping/workspace-keywords.js';
import type { Archive, PlatformPost } from '../../src/platforms/platform.js';
import { Platforms } from '../../src/platforms/platforms.js';
import { startSandbox } from '../../src/sandbox/server/sandbox.js';
import { insertJob } from './support/chaos.js';
import { copyLine } from './support/copy-rows.js';
import { median } from './support/median.js';
import { benchServers } from './support/servers.js';

const POSTS = 10_000;
const PAGE = 100;
/** Jobs that store at the same time, as in a worker. */
const JOBS = 4;
/** The first round runs cold; a worker runs for days, so the median counts. */
const ROUNDS = 7;

type StoredRow = PostRow & { workspaceId: string };

interface Round {
  ingestSeconds: number;
  /** With the phrases of the posts read again, as at the end of their jobs. */
  gatheredSeconds: number;
  copySeconds: number;
}

/** Posts a second from parsed page to committed row, compared with COPY of the same rows. */
export async function run(): Promise<Record<string, unknown>> {
  const { databaseUrl, redisUrl } = await benchServers();
  await migrate(databaseUrl);
  const sandbox = await startSandbox({});
  const app = await createApplication(
    parseEnvironment({
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      ROLES: 'worker',
      LOG_LEVEL: 'fatal',
      PLATFORM_BASE_URL: sandbox.baseUrl,
      PLATFORM_AUTH_URL: sandbox.baseUrl,
      ARCHIVE_BASE_URL: `${sandbox.baseUrl}/archive`,
    }),
  );
  await app.init();
  // Stops the worker, so that only the benchmark claims its jobs.
  await app.get(JobWorker, { strict: false }).beforeApplicationShutdown();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const posts = await parsedPosts(
      app.get(Platforms, { strict: false }).of({ type: 'forum', name: 'technology' }).platform.archive!,
    );
    const rounds: Round[] = [];
    let enriching = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await empty(client);
      const { rows, seconds, gatheredSeconds, enrichmentSeconds } = await ingest(app, databaseUrl, posts);
      enriching += enrichmentSeconds;
      await empty(client);
      rounds.push({ ingestSeconds: seconds, gatheredSeconds, copySeconds: await copy(client, rows) });
    }
    return {
      posts: posts.length,
      rounds: rounds.length,
      ingestPostsPerSecond: Math.round(posts.length / median(rounds.map((round) => round.ingestSeconds))),
      gatheredPostsPerSecond: Math.round(posts.length / median(rounds.map((round) => round.gatheredSeconds))),
      copyPostsPerSecond: Math.round(posts.length / median(rounds.map((round) => round.copySeconds))),
      share: rounded(median(rounds.map(shareOf))),
      shares: rounds.map((round) => rounded(shareOf(round))),
      enrichmentSecondsPerRound: rounded(enriching / rounds.length),
    };
  } finally {
    await client.end();
    await app.close();
    await sandbox.close();
  }
}

const shareOf = (round: Round): number => round.copySeconds / round.ingestSeconds;
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Leaves the tables as after a migration, with no background writes of earlier rounds. */
async function empty(client: pg.Client): Promise<void> {
  await client.query('TRUNCATE posts, job_posts, job_executions CASCADE');
  await client.query(`UPDATE jobs SET status = 'cancelled' WHERE status = 'running'`);
  await client.query('CHECKPOINT');
}

async function ingest(
  app: Awaited<ReturnType<typeof createApplication>>,
  databaseUrl: string,
  posts: readonly PlatformPost[],
): Promise<{ rows: StoredRow[]; seconds: number; gatheredSeconds: number; enrichmentSeconds: number }> {
  const keywords = app.get(WorkspaceKeywords, { strict: false });
  const writer = app.get(BatchWriter, { strict: false });
  const claims = app.get(JobClaims, { strict: false });
  const noPlugins = new PluginRunner();
  const analyzer = app.get(TextAnalyzer, { strict: false });
  const executions: JobExecution[] = [];
  for (let index = 0; index < JOBS; index += 1) {
    await insertJob(databaseUrl, { target: 'technology', limit: POSTS });
    executions.push((await claims.claimNext({ small: 0, large: 0 }))!);
  }
  const rows: StoredRow[] = [];
  const pages = Array.from({ length: posts.length / PAGE }, (_, page) => page);
  const began = performance.now();
  await Promise.all(
    executions.map(async (execution) => {
      const enrichment = new EnrichmentPipeline(
        new PluginStep(noPlugins),
        [new LanguageStep(analyzer), new SentimentStep(analyzer), new KeywordStep(analyzer)],
        new SystemClock(),
        execution.timings,
      );
      for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
        const part = posts.slice(page * PAGE, (page + 1) * PAGE);
        const enriched = await enrichment.posts(part);
        await writer.writePosts(execution, {
          posts: enriched,
          addsOnly: false,
          firstPosition: page * PAGE,
          treesPending: new Set(),
          media: [],
          checkpoint: START,
        });
        for (const { row } of enriched) rows.push({ workspaceId: execution.job.workspaceId, ...row });
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(executions.map(({ job }) => keywords.gather(job.workspaceId, job.id)));
  return {
    rows,
    seconds,
    gatheredSeconds: (performance.now() - began) / 1_000,
    enrichmentSeconds:
      executions.reduce((sum, { timings }) => sum + timings.record.sentiment + timings.record.keywords, 0) /
      1_000,
  };
}

async function parsedPosts(archive: Archive): Promise<PlatformPost[]> {
  const session = {
    signal: new AbortController().signal,
    workspaceId: 'bench',
    priority: 'normal' as const,
    onRequest: () => undefined,
  };
  const posts: PlatformPost[] = [];
  for (let before: Date | null = null; posts.length < POSTS; before = posts.at(-1)!.createdUtc)
    posts.push(...(await archive.fetchBefore({ type: 'forum', name: 'technology' }, before, session)));
  return posts.slice(0, POSTS);
}

/** Seconds that COPY takes for the same rows into the same table, with its indexes and constraints. */
async function copy(client: pg.Client, rows: readonly StoredRow[]): Promise<number> {
  const columns = columnsOf(PostRecord).filter(({ isWritten }) => isWritten);
  const lines = rows.map(
    (row) => `${copyLine(columns.map(({ property }) => searchable(row)[property as keyof StoredRow]))}\n`,
  );
  const began = performance.now();
  await pipeline(
    Readable.from(chunks(lines)),
    client.query(copyFrom(`COPY posts (${columns.map(({ name }) => name).join(', ')}) FROM STDIN`)),
  );
  return (performance.now() - began) / 1_000;
}

/** A row with its words, as a batch stores it. */
const searchable = (row: StoredRow): StoredRow & { search: string } => ({
  ...row,
  search: searchValue({ title: row.title, text: row.selftext }),
});

function* chunks(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at += PAGE) yield lines.slice(at, at + PAGE).join('');
}
