import type pg from 'pg';
import { migrationNumbers } from '../../src/database/migration-state.js';
import { createEmptyDatabase, type SteppedDatabase } from '../support/migrated-database.js';
import { connect } from '../support/database.js';

const FIRST_MIGRATION = 1_792_000_090_000;
const WORKSPACES = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
/** More than one batch. */
const COMMENTS = 4_500;

/** As the previous version stored a thread of Hacker News, one whose post is not stored, and one of Reddit. */
const POST = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score, upvote_ratio, num_comments,
    selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls, sentiment_score, sentiment_label,
    keywords, scraped_at)
  VALUES ($1, $2, $3, 'a title', 'author', now(), '/', 1, 1, 0, '', 'self', false, false, '', 0, false, '{}', 0, 'neutral', '{}', now())`;
const COMMENTS_OF = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, parent_id, author, body, score,
    created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at)
  SELECT $1, $3::bigint + n, $2 || n, $2, $4, $2, 'author', 'a body', 1, now(), 0, false, 0, 'neutral', now()
  FROM generate_series(1, $5::int) AS n`;
const SEGMENT = `INSERT INTO search_segments (workspace_id, kind, rows, has_positions) VALUES ($1, 'comments', 1, true)`;

describe('the migrations to forums of comments', () => {
  let database: SteppedDatabase;
  let client: pg.Client;
  let all: number[];
  const query = async <Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(sql, parameters)).rows;

  beforeAll(async () => {
    all = await migrationNumbers();
    database = await createEmptyDatabase();
    await database.migrate(all.filter((number) => number < FIRST_MIGRATION));
    client = await connect(database.url);
    for (const id of WORKSPACES) await query(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, [id]);
    const [own, other] = WORKSPACES;
    await query(POST, [own, 'hn_1', 'hn:ask']);
    await query(POST, [other, 'hn_1', 'hn:story']);
    await query(COMMENTS_OF, [own, 'hn_1', 2 ** 52, '/item?id=1', COMMENTS]);
    await query(COMMENTS_OF, [other, 'hn_1', 2 ** 52, '/item?id=1', 1]);
    await query(COMMENTS_OF, [own, 'hn_2', 2 ** 52 + COMMENTS, '/item?id=2', 1]);
    await query(COMMENTS_OF, [own, 't3_1', 0, '/r/music/', 1]);
    await query('TRUNCATE search_changes');
    await query(SEGMENT, [own]);
    // Simulates two processes that start at the same time.
    await Promise.all([database.migrate(all), database.migrate(all)]);
  }, 180_000);
  afterAll(async () => {
    await client?.end();
    await database.drop();
  });

  const forums = () =>
    query(`SELECT workspace_id, post_id, forum, count(*)::int AS comments FROM comments
      GROUP BY 1, 2, 3 ORDER BY 1, 2`);
  const expected = [
    { workspace_id: WORKSPACES[0], post_id: 'hn_1', forum: 'hn:ask', comments: COMMENTS },
    { workspace_id: WORKSPACES[0], post_id: 'hn_2', forum: null, comments: 1 },
    { workspace_id: WORKSPACES[0], post_id: 't3_1', forum: null, comments: 1 },
    { workspace_id: WORKSPACES[1], post_id: 'hn_1', forum: 'hn:story', comments: 1 },
  ];

  it('set those of Hacker News from the posts of the same workspace, and rewrite no other row', async () => {
    expect(await forums()).toEqual(expected);
  });

  it('list the updated rows as changed, so that segments include them', async () => {
    expect(
      await query(`SELECT workspace_id, sum(row_count)::int AS rows FROM search_changes
        WHERE kind = 'comments' GROUP BY 1 ORDER BY 1`),
    ).toEqual([
      { workspace_id: WORKSPACES[0], rows: COMMENTS },
      { workspace_id: WORKSPACES[1], rows: 1 },
    ]);
  });

  it('mark only segments that the previous version writes from then on', async () => {
    await query(SEGMENT, [WORKSPACES[0]]);
    expect(await query('SELECT has_forums FROM search_segments ORDER BY id')).toEqual([
      { has_forums: true },
      { has_forums: false },
    ]);
  });

  it('can be repeated after an interruption at any statement', async () => {
    await query('DELETE FROM migrations WHERE timestamp > $1', [FIRST_MIGRATION]);
    await query('UPDATE comments SET forum = NULL WHERE workspace_id = $1 AND id % 2 = 0', [WORKSPACES[0]]);
    await query('CREATE INDEX comments_by_stored_forum ON comments (forum)');
    await database.migrate(all);
    expect(await forums()).toEqual(expected);
    expect(
      await query(`SELECT relname AS name, indisvalid AS is_valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = 'comments'::regclass AND relname LIKE '%forum%'`),
    ).toEqual([{ name: 'comments_by_forum', is_valid: true }]);
  }, 90_000);
});
