import { searchValue } from '../../src/text/search-value.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { connect } from '../support/database.js';

const FRESH_ROWS = 300_000;
const ROWS_OF_OTHERS = 2_000;
const ATTACKERS = 20;
const REQUESTS = 60;
/** Other test files that run at the same time only add to what is measured; they end meanwhile. */
const ATTEMPTS = 12;
/** Largest quotient of the 95th percentiles of others' requests, beside the attack and in quiet. */
const MOST_TIMES = 3;
/** A percentile below this is the machine's noise. */
const LEAST_MS = 10;

/** 500 texts of 60 words, each among 3,000, and their words. */
const TEXTS = Array.from({ length: 500 }, (_, text) =>
  Array.from({ length: 60 }, (_, word) => `word${(text * 31 + word * word * 17) % 3_000}`).join(' '),
);
const WORDS = TEXTS.map((text) => searchValue({ title: 'Fresh post', text }));

const INSERT_POSTS = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score,
    upvote_ratio, num_comments, selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls,
    sentiment_score, sentiment_label, keywords, scraped_at, search)
  SELECT $1, 't3_' || n, 'Forum' || n % 50, 'Fresh post', 'author' || n % 5000,
    timestamptz '2026-01-01' + n * interval '12 seconds', '/', n % 100, 0.5, n % 9, ($3::text[])[1 + n % 500], 'self',
    false, false, '', 0, false, '{}', 0, 'neutral', '{}', now(), (($4::text[])[1 + n % 500])::tsvector
  FROM generate_series(1, $2::int) AS n`;

const service = await startTestApplication();
const attacker = await service.createWorkspace('Attacker');
const other = await service.createWorkspace('Other');

describe('dear searches over rows that the index does not have yet', () => {
  beforeAll(async () => {
    const client = await connect(service.environment.DATABASE_URL!);
    for (const [{ workspaceId }, rows] of [
      [attacker, FRESH_ROWS],
      [other, ROWS_OF_OTHERS],
    ] as const)
      await client.query(INSERT_POSTS, [workspaceId, rows, TEXTS, WORDS]);
    await client.query('ANALYZE posts');
    await client.end();
  });

  async function get({ path, apiKey }: TestWorkspace, query: string): Promise<number> {
    const response = await fetch(`${service.url}${path('/posts')}${query}`, {
      headers: { 'X-API-Key': apiKey },
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** The 95th percentile of the other workspace's requests, one after another, in ms. */
  async function percentile(): Promise<number> {
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const begin = performance.now();
      expect(await get(other, '')).toBe(200);
      // eslint-disable-next-line no-restricted-syntax -- compared with times of the same run
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b)[Math.ceil(REQUESTS * 0.95) - 1]!;
  }

  /** Does `work` while a workspace repeats dear searches, 20 at a time; returns how they were answered, too. */
  async function besideAttack<T>(work: () => Promise<T>): Promise<{ result: T; statuses: number[] }> {
    let isOver = false;
    const statuses: number[] = [];
    const attack = Array.from({ length: ATTACKERS }, async (_, index) => {
      for (let search = 0; !isOver; search += 1)
        statuses.push(await get(attacker, `?q=-zzz${index}x${search}&sort_by=relevance`));
    });
    const result = await work();
    isOver = true;
    await Promise.all(attack);
    return { result, statuses };
  }

  it("leave the 95th percentile of others' lists at most three times as long", async () => {
    await percentile();
    let times = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && times > MOST_TIMES; attempt += 1) {
      const quiet = await percentile();
      const { result: attacked, statuses } = await besideAttack(percentile);
      expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true);
      times = Math.min(times, attacked / Math.max(quiet, LEAST_MS));
    }
    expect(times).toBeLessThanOrEqual(MOST_TIMES);
  });
});
