import { parseArgs } from 'node:util';
import pg from 'pg';
import { parseId } from '../../src/common/ids.js';
import { UsageError } from '../../src/cli/run-command.js';
import { runningServers } from '../../src/launcher/embedded-servers.js';
import { fraction, hash, Random } from '../../src/sandbox/data/random.js';
import { searchValue } from '../../src/text/search-value.js';
import { copyRows } from './support/copy-rows.js';
import { SeededText, skewedRank } from './support/seeded-text.js';

/** Language of the seeded texts. */
const LANGUAGE = 'en';
const FORUMS = 300;
const AUTHORS = 60_000;
const NEWEST = Date.UTC(2026, 9, 1);
const SPAN_SECONDS = 2 * 365 * 86_400;
/** Number of seeds whose comments get distinct numbers below 2^52, like those of Reddit. */
const SEEDS = 4_500_000;
const FLAIRS = ['', '', '', '', 'Discussion', 'Question', 'News', 'Help', 'Review'];

const POST_COLUMNS = [
  'workspace_id',
  'id',
  'forum',
  'title',
  'author',
  'created_utc',
  'permalink',
  'url',
  'score',
  'upvote_ratio',
  'num_comments',
  'selftext',
  'post_type',
  'is_nsfw',
  'is_spoiler',
  'flair',
  'total_awards',
  'has_media',
  'media_urls',
  'sentiment_score',
  'sentiment_label',
  'keywords',
  'scraped_at',
  'search',
];
const COMMENT_COLUMNS = [
  'workspace_id',
  'id',
  'comment_id',
  'post_id',
  'post_permalink',
  'forum',
  'parent_id',
  'author',
  'body',
  'score',
  'created_utc',
  'depth',
  'is_submitter',
  'sentiment_score',
  'sentiment_label',
  'scraped_at',
  'search',
];

/** The number of rows written, and how fast. */
export interface SeedFigures {
  posts: number;
  comments: number;
  seconds: number;
  rows_per_second: number;
}

/**
 * Fills a workspace with realistic rows by COPY: skewed words, forums, authors and scores over two years. The same seed
 * gives the same rows. `--batch` is the number of rows of one COPY, which a killed run loses because it is one
 * transaction. Without `--into` and `DATABASE_URL`, fills the Postgres of the service that runs on `DATA_DIR`.
 * Arguments: see {@link USAGE}.
 */
export async function run(args: string[] = []): Promise<SeedFigures> {
  const options = parseOptions(args);
  const client = new pg.Client({ connectionString: options.into ?? (await ownDatabase()) });
  await client.connect();
  const began = performance.now();
  try {
    const known = await client.query('SELECT FROM workspaces WHERE id = $1', [options.workspace]);
    if (known.rowCount === 0) throw new UsageError(`there is no workspace ${options.workspace}`);
    await client.query('SET synchronous_commit = off');
    await fillPosts(client, options);
    await fillComments(client, options);
    await client.query('ANALYZE posts, comments');
  } finally {
    await client.end();
  }
  const seconds = (performance.now() - began) / 1_000;
  return {
    posts: options.posts,
    comments: options.comments,
    seconds: Math.round(seconds),
    rows_per_second: Math.round((options.posts + options.comments) / seconds),
  };
}

interface SeedOptions {
  workspace: string;
  posts: number;
  comments: number;
  seed: number;
  batch: number;
  into: string | undefined;
}

/** What `npm run bench` prints after a mistake in the arguments. */
export const USAGE =
  'usage: npm run bench -- seed --workspace ID --posts N --comments M [--seed S] [--batch B] [--into DATABASE_URL]';

function parseOptions(args: string[]): SeedOptions {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      posts: { type: 'string', default: '0' },
      comments: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      batch: { type: 'string', default: '20000' },
      into: { type: 'string' },
    },
  });
  const workspace = parseId('workspace', values.workspace ?? '');
  if (workspace === null) throw new UsageError('--workspace needs the id of a workspace');
  const count = (name: 'posts' | 'comments' | 'seed' | 'batch', least = 0): number => {
    const value = /^\d+$/.test(values[name]) ? Number(values[name]) : NaN;
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`--${name} needs a whole number from ${least}`);
  };
  const [posts, comments] = [count('posts'), count('comments')];
  if (comments > 0 && posts === 0) throw new UsageError('--comments needs --posts');
  const into = values.into ?? (process.env.DATABASE_URL || undefined);
  return { workspace, posts, comments, seed: count('seed'), batch: count('batch', 1), into };
}

async function ownDatabase(): Promise<string> {
  const running = await runningServers(process.env.DATA_DIR || '.data');
  if (running !== null) return running.databaseUrl;
  throw new UsageError(
    'start the service on this DATA_DIR first, or name its Postgres by --into or DATABASE_URL',
  );
}

async function fillPosts(client: pg.Client, { workspace, posts, seed, batch }: SeedOptions): Promise<void> {
  const random = new Random(seed);
  const text = new SeededText(random);
  for (let from = 0; from < posts; from += batch)
    await copyRows(
      client,
      'posts',
      POST_COLUMNS,
      rowsFrom(from, Math.min(posts, from + batch), (n) => postRow(workspace, n, posts, seed, random, text)),
    );
}

async function fillComments(
  client: pg.Client,
  { workspace, posts, comments, seed, batch }: SeedOptions,
): Promise<void> {
  const random = new Random(seed + 1);
  const text = new SeededText(random);
  for (let from = 0; from < comments; from += batch)
    await copyRows(
      client,
      'comments',
      COMMENT_COLUMNS,
      rowsFrom(from, Math.min(comments, from + batch), (n) =>
        commentRow(workspace, n, posts, seed, random, text),
      ),
    );
}

function* rowsFrom(from: number, to: number, rowOf: (n: number) => unknown[]): Generator<unknown[]> {
  for (let n = from; n < to; n += 1) yield rowOf(n);
}

/** Ids of different seeds are distinct, so that a workspace can be filled more than once. */
const postId = (n: number, seed: number): string => `t3_s${seed.toString(36)}z${n.toString(36)}`;

/** The forum of a post is derived from its number, so that its comments have the same one. */
const forumOf = (n: number, seed: number): string => `forum${skewedRank(FORUMS, fraction(hash(seed, n)))}`;

const permalinkOf = (n: number, seed: number): string =>
  `/r/${forumOf(n, seed)}/comments/${postId(n, seed).slice(3)}/post/`;

function postRow(
  workspace: string,
  n: number,
  count: number,
  seed: number,
  random: Random,
  text: SeededText,
): unknown[] {
  const id = postId(n, seed);
  const title = text.sentence(4, 14);
  const type = random.pick(['self', 'self', 'self', 'link', 'link', 'image', 'video']);
  const selftext = type === 'self' && random.chance(0.9) ? text.paragraph(10 + text.rank(250)) : '';
  const created = new Date(NEWEST - Math.floor(((count - n) / count) * SPAN_SECONDS) * 1_000);
  const [sentiment, label] = sentimentOf(random);
  return [
    workspace,
    id,
    forumOf(n, seed),
    title,
    `author${text.rank(AUTHORS)}`,
    created,
    permalinkOf(n, seed),
    type === 'self' ? null : `https://example.com/${n}`,
    text.rank(20_000),
    Math.round(50 + random.float() * 50) / 100,
    text.rank(500),
    selftext,
    type,
    random.chance(0.03),
    random.chance(0.01),
    random.pick(FLAIRS),
    0,
    type === 'image' || type === 'video',
    type === 'image' ? [`https://example.com/${n}.jpg`] : [],
    sentiment,
    label,
    [...new Set(Array.from({ length: 5 }, () => text.word()))].filter((word) => word.length > 3),
    created,
    searchValue({ title, text: selftext }, LANGUAGE),
  ];
}

function commentRow(
  workspace: string,
  n: number,
  posts: number,
  seed: number,
  random: Random,
  text: SeededText,
): unknown[] {
  // A few threads are very long, most are short.
  const post = Math.floor(random.float() ** 1.5 * posts);
  const id = postId(post, seed);
  const created = new Date(
    NEWEST - Math.floor(((posts - post) / posts) * SPAN_SECONDS) * 1_000 + random.int(86_400) * 1_000,
  );
  const [sentiment, label] = sentimentOf(random);
  const number = (seed % SEEDS) * 1_000_000_000 + n;
  const author = `author${text.rank(AUTHORS)}`;
  const body = text.paragraph(5 + text.rank(90));
  return [
    workspace,
    number,
    `t1_${number.toString(36)}`,
    id,
    permalinkOf(post, seed),
    forumOf(post, seed),
    id,
    author,
    body,
    text.rank(3_000) - 5,
    created,
    0,
    random.chance(0.05),
    sentiment,
    label,
    created,
    searchValue({ title: '', text: body }, LANGUAGE),
  ];
}

function sentimentOf(random: Random): [number, string] {
  const score = Math.round((random.float() + random.float() - 1) * 1_000) / 1_000;
  if (score > 0.15) return [score, 'positive'];
  return [score, score < -0.15 ? 'negative' : 'neutral'];
}
