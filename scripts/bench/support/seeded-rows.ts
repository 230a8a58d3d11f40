import pg from 'pg';
import { UsageError } from '../../../src/cli/run-command.js';
import { fraction, hash, Random } from '../../../src/sandbox/data/random.js';
import { searchValue } from '../../../src/text/search-value.js';
import { copyRows } from './copy-rows.js';
import { SeededText, skewedRank } from './seeded-text.js';

/** Language of the seeded texts. */
const LANGUAGE = 'en';
const FORUMS = 300;
const AUTHORS = 60_000;
const NEWEST = Date.UTC(2026, 9, 1);
const SPAN_SECONDS = 2 * 365 * 86_400;
/** Number of seeds whose comments get distinct numbers below 2^52, like those of Reddit. */
const SEEDS = 4_500_000;
const FLAIRS = ['', '', '', '', 'Discussion', 'Question', 'News', 'Help', 'Review'];

/** The rows of a workspace; the same seed gives the same rows. */
export interface Seeding {
  /** Bare id. */
  workspace: string;
  posts: number;
  comments?: number;
  seed?: number;
  /** Number of rows of one COPY, which a killed run loses because it is one transaction. */
  batch?: number;
}

/**
 * Fills a workspace with realistic rows by COPY: skewed words, forums, authors and scores over two years. Throws when
 * there is no such workspace.
 */
export async function seedWorkspace(databaseUrl: string, seeding: Seeding): Promise<void> {
  const { workspace, posts, comments = 0, seed = 1, batch = 20_000 } = seeding;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const known = await client.query('SELECT FROM workspaces WHERE id = $1', [workspace]);
    if (known.rowCount === 0) throw new UsageError(`there is no workspace ${workspace}`);
    await client.query('SET synchronous_commit = off');
    const source = { workspace, posts, seed };
    const postOf = rowMaker(postRow, source, new Random(seed));
    for (let from = 0; from < posts; from += batch)
      await copyRows(client, 'posts', rowsFrom(from, Math.min(posts, from + batch), postOf));
    const commentOf = rowMaker(commentRow, source, new Random(seed + 1));
    for (let from = 0; from < comments; from += batch)
      await copyRows(client, 'comments', rowsFrom(from, Math.min(comments, from + batch), commentOf));
    await client.query('ANALYZE posts, comments');
  } finally {
    await client.end();
  }
}

type Source = Required<Pick<Seeding, 'workspace' | 'posts' | 'seed'>>;
type Row = Record<string, unknown>;

function rowMaker(
  rowOf: (n: number, source: Source, random: Random, text: SeededText) => Row,
  source: Source,
  random: Random,
): (n: number) => Row {
  const text = new SeededText(random);
  return (n) => rowOf(n, source, random, text);
}

function* rowsFrom(from: number, to: number, rowOf: (n: number) => Row): Generator<Row, void> {
  for (let n = from; n < to; n += 1) yield rowOf(n);
}

/** Ids of different seeds are distinct, so that a workspace can be filled more than once. */
const postId = (n: number, seed: number): string => `t3_s${seed.toString(36)}z${n.toString(36)}`;

/** The forum of a post is derived from its number, so that its comments have the same one. */
const forumOf = (n: number, seed: number): string => `forum${skewedRank(FORUMS, fraction(hash(seed, n)))}`;

const permalinkOf = (n: number, seed: number): string =>
  `/r/${forumOf(n, seed)}/comments/${postId(n, seed).slice(3)}/post/`;

/** Seconds after the oldest post, as a time. */
const timeOf = (n: number, posts: number): number =>
  NEWEST - Math.floor(((posts - n) / posts) * SPAN_SECONDS) * 1_000;

function postRow(n: number, { workspace, posts, seed }: Source, random: Random, text: SeededText): Row {
  const title = text.sentence(4, 14);
  const type = random.pick(['self', 'self', 'self', 'link', 'link', 'image', 'video']);
  const selftext = type === 'self' && random.chance(0.9) ? text.paragraph(10 + text.rank(250)) : '';
  const created = new Date(timeOf(n, posts));
  return {
    ...sentimentOf(random),
    workspace_id: workspace,
    id: postId(n, seed),
    forum: forumOf(n, seed),
    title,
    author: `author${text.rank(AUTHORS)}`,
    created_utc: created,
    permalink: permalinkOf(n, seed),
    url: type === 'self' ? null : `https://example.com/${n}`,
    score: text.rank(20_000),
    upvote_ratio: Math.round(50 + random.float() * 50) / 100,
    num_comments: text.rank(500),
    selftext,
    post_type: type,
    is_nsfw: random.chance(0.03),
    is_spoiler: random.chance(0.01),
    flair: random.pick(FLAIRS),
    total_awards: 0,
    has_media: type === 'image' || type === 'video',
    media_urls: type === 'image' ? [`https://example.com/${n}.jpg`] : [],
    keywords: [...new Set(Array.from({ length: 5 }, () => text.word()))].filter((word) => word.length > 3),
    scraped_at: created,
    search: searchValue({ title, text: selftext }, LANGUAGE),
  };
}

function commentRow(n: number, { workspace, posts, seed }: Source, random: Random, text: SeededText): Row {
  // A few threads are very long, most are short.
  const post = Math.floor(random.float() ** 1.5 * posts);
  const id = postId(post, seed);
  const created = new Date(timeOf(post, posts) + random.int(86_400) * 1_000);
  const sentiment = sentimentOf(random);
  const number = (seed % SEEDS) * 1_000_000_000 + n;
  const author = `author${text.rank(AUTHORS)}`;
  const body = text.paragraph(5 + text.rank(90));
  return {
    ...sentiment,
    workspace_id: workspace,
    id: number,
    comment_id: `t1_${number.toString(36)}`,
    post_id: id,
    post_permalink: permalinkOf(post, seed),
    forum: forumOf(post, seed),
    parent_id: id,
    author,
    body,
    score: text.rank(3_000) - 5,
    created_utc: created,
    depth: 0,
    is_submitter: random.chance(0.05),
    scraped_at: created,
    search: searchValue({ title: '', text: body }, LANGUAGE),
  };
}

function sentimentOf(random: Random): Row {
  const score = Math.round((random.float() + random.float() - 1) * 1_000) / 1_000;
  const label = score > 0.15 ? 'positive' : score < -0.15 ? 'negative' : 'neutral';
  return { sentiment_score: score, sentiment_label: label };
}
