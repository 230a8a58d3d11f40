import type pg from 'pg';
import { searchValue } from '../../src/text/search-value.js';
import { columnsOf } from '../../src/database/entity-columns.js';
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
import { copyLine, copyLines } from './support/copy-rows.js';
import { type Application, Bench } from './support/harness.js';
import { insertJob } from './support/jobs.js';
import { median, medianRatio, rounded, secondsOf } from './support/measure.js';

const POSTS = 10_000;
const PAGE = 100;
/** Jobs that store at the same time, as in a worker. */
const JOBS = 4;
/** The first round runs cold; a worker runs for days, so the median counts. */
const ROUNDS = 7;

type StoredRow = PostRow & { workspaceId: string };

/** Posts a second from parsed page to committed row, compared with COPY of the same rows. */
export function run(): Promise<Record<string, unknown>> {
  return Bench.run(async (bench) => {
    const sandbox = await startSandbox({});
    bench.atEnd(() => sandbox.close());
    const app = await bench.application('worker', {
      PLATFORM_BASE_URL: sandbox.baseUrl,
      PLATFORM_AUTH_URL: sandbox.baseUrl,
      ARCHIVE_BASE_URL: `${sandbox.baseUrl}/archive`,
    });
    // Stops the worker, so that only the benchmark claims its jobs.
    await app.get(JobWorker, { strict: false }).beforeApplicationShutdown();
    const client = await bench.client();
    const { platform } = app.get(Platforms, { strict: false }).of({ type: 'forum', name: 'technology' });
    const posts = await parsedPosts(platform.archive!);
    /** Seconds of each round; with the phrases of the posts read again, as at the end of their jobs; of COPY. */
    const [ingested, gathered, copied] = [[], [], []] as [number[], number[], number[]];
    let enriching = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await empty(client);
      const { rows, seconds, gatheredSeconds, enrichmentSeconds } = await ingest(app, bench, posts);
      enriching += enrichmentSeconds;
      await empty(client);
      ingested.push(seconds);
      gathered.push(gatheredSeconds);
      copied.push(await copy(client, rows));
    }
    const rateOf = (seconds: readonly number[]): number => Math.round(posts.length / median(seconds));
    return {
      posts: posts.length,
      rounds: ROUNDS,
      ingestPostsPerSecond: rateOf(ingested),
      gatheredPostsPerSecond: rateOf(gathered),
      copyPostsPerSecond: rateOf(copied),
      share: rounded(medianRatio(copied, ingested), 3),
      shares: copied.map((seconds, round) => rounded(seconds / ingested[round]!, 3)),
      enrichmentSecondsPerRound: rounded(enriching / ROUNDS, 3),
    };
  });
}

/** Leaves the tables as after a migration, with no background writes of earlier rounds. */
async function empty(client: pg.Client): Promise<void> {
  await client.query('TRUNCATE posts, job_posts, job_executions CASCADE');
  await client.query(`UPDATE jobs SET status = 'cancelled' WHERE status = 'running'`);
  await client.query('CHECKPOINT');
}

async function ingest(
  app: Application,
  { databaseUrl }: Bench,
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
  const store = async (execution: JobExecution): Promise<void> => {
    const enrichment = new EnrichmentPipeline(
      new PluginStep(noPlugins),
      [new LanguageStep(analyzer), new SentimentStep(analyzer), new KeywordStep(analyzer)],
      execution.timings,
    );
    for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
      const enriched = await enrichment.posts(posts.slice(page * PAGE, (page + 1) * PAGE), new Date());
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
  };
  const seconds = await secondsOf(() => Promise.all(executions.map(store)));
  const gathering = await secondsOf(() =>
    Promise.all(executions.map(({ job }) => keywords.gather(job.workspaceId, job.id))),
  );
  const enriching = executions.map(({ timings: { record } }) => record.sentiment + record.keywords);
  return {
    rows,
    seconds,
    gatheredSeconds: seconds + gathering,
    enrichmentSeconds: enriching.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1_000,
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
  const names = columns.map(({ name }) => name);
  const lines = rows.map((row) =>
    copyLine(columns.map(({ property }) => searchable(row)[property as keyof StoredRow])),
  );
  return secondsOf(() => copyLines(client, 'posts', names, lines));
}

/** A row with its words, as a batch stores it. */
const searchable = (row: StoredRow): StoredRow & { search: string } => ({
  ...row,
  search: searchValue({ title: row.title, text: row.selftext }),
});
