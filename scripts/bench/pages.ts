import type { BenchApi } from './support/api.js';
import { Bench } from './support/harness.js';
import { inTurns, median, rounded, secondsOf } from './support/measure.js';
import { numbersOf } from './support/options.js';
import { waitForSegments } from './support/segments.js';
import { seedWorkspace } from './support/seeded-rows.js';

const LIMIT = 50;
const DEEP = 1_000;
const ROUNDS = 100;
/** Queries with at least 50,000 matching rows among a million posts, one for each way in which a page is found. */
const QUERIES = {
  newest: '',
  'by score': 'sort_by=score',
  word: 'q=like',
  'word by score': 'q=like&sort_by=score',
  'word by relevance': 'q=like&sort_by=relevance',
  'positive by comments': 'sentiment=positive&sort_by=num_comments',
};

/**
 * Latency of page 1,000 compared with page 1, over HTTP and by cursors, for queries with as many pages. Argument:
 * `[--posts N]`.
 */
export async function run(args: string[] = []): Promise<Record<string, unknown>> {
  const { posts } = numbersOf(args, { posts: 1_000_000 });
  return Bench.run(async (bench) => {
    const api = await bench.api(0, 'scheduler');
    await seedWorkspace(bench.databaseUrl, { workspace: api.workspaceId, posts });
    await waitForSegments(bench.databaseUrl);
    await api.restart();
    const compared: Record<string, unknown> = {};
    for (const [name, parameters] of Object.entries(QUERIES)) compared[name] = await compare(api, parameters);
    return { posts, ...compared };
  });
}

async function compare(api: BenchApi, parameters: string): Promise<Record<string, number>> {
  const readPage = (cursor: string) =>
    api.read<{ cursor: string | null }>(
      `/posts?limit=${LIMIT}&cursor=${encodeURIComponent(cursor)}&${parameters}`,
    );
  let deepest = '';
  for (let page = 1; page < DEEP; page += 1) {
    const { cursor } = await readPage(deepest);
    if (cursor === null) throw new Error(`${parameters} has only ${page} pages`);
    deepest = cursor;
  }
  const timeOf = async (cursor: string): Promise<number> => (await secondsOf(() => readPage(cursor))) * 1_000;
  const { first, deep } = await inTurns(ROUNDS, { first: () => timeOf(''), deep: () => timeOf(deepest) });
  return {
    page_1_ms: rounded(median(first), 1),
    page_1000_ms: rounded(median(deep), 1),
    ratio: rounded(median(deep) / median(first)),
  };
}
