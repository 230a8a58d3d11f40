import { parseArgs } from 'node:util';
import { type BenchApi, startBenchApi } from './support/api.js';
import { median } from './support/median.js';
import { waitForSegments } from './support/segments.js';
import { run as seed } from './seed.js';

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
  const { values } = parseArgs({ args, options: { posts: { type: 'string', default: '1000000' } } });
  const api = await startBenchApi(0, { beside: 'scheduler' });
  try {
    const into = ['--workspace', api.workspaceId, '--into', api.databaseUrl];
    await seed([...into, '--posts', values.posts, '--comments', '0']);
    await waitForSegments(api.databaseUrl);
    await api.restart();
    const compared: Record<string, unknown> = {};
    for (const [name, parameters] of Object.entries(QUERIES)) compared[name] = await compare(api, parameters);
    return { ...values, ...compared };
  } finally {
    await api.stop();
  }
}

/** Reads both pages in turn, so that other load on the machine affects both. */
async function compare(api: BenchApi, parameters: string): Promise<Record<string, number>> {
  let cursor = '';
  for (let page = 1; page < DEEP; page += 1) {
    const { next } = await readPage(api, parameters, cursor);
    if (next === null) throw new Error(`${parameters} has only ${page} pages`);
    cursor = next;
  }
  const first: number[] = [];
  const deep: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    first.push((await readPage(api, parameters, '')).milliseconds);
    deep.push((await readPage(api, parameters, cursor)).milliseconds);
  }
  return {
    page_1_ms: Number(median(first).toFixed(1)),
    page_1000_ms: Number(median(deep).toFixed(1)),
    ratio: Number((median(deep) / median(first)).toFixed(2)),
  };
}

async function readPage(
  api: BenchApi,
  parameters: string,
  cursor: string,
): Promise<{ next: string | null; milliseconds: number }> {
  const began = performance.now();
  const path = `/posts?limit=${LIMIT}&cursor=${encodeURIComponent(cursor)}&${parameters}`;
  const response = await fetch(`${api.url}/api/v1/workspaces/${api.workspaceId}${path}`, {
    headers: api.headers,
  });
  const body = await response.text();
  const milliseconds = performance.now() - began;
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`);
  return { next: (JSON.parse(body) as { cursor: string | null }).cursor, milliseconds };
}
