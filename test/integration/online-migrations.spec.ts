import type pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { migrationNumbers } from '../../src/database/migration-state.js';
import { runSqlOn } from '../../src/database/run-sql.js';
import { findGap, secureLists, secureRows } from '../../src/database/secured-rows.js';
import { DROP_VIEWS } from '../../src/database/workspace-views.js';
import { connect } from '../support/database.js';
import { createEmptyDatabase, type SteppedDatabase } from '../support/migrated-database.js';
import { until } from '../support/until.js';

const BASELINE = 1_800_000_200_000;
const ROWS = 5_000;
const WRITERS = 3;
const WORKSPACE = '00000000-0000-4000-8000-000000000001';

/** Statements of version 1.0.0, which must work before, during and after every later migration. */
const POSTS = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score, upvote_ratio, num_comments,
    selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls, sentiment_score, sentiment_label,
    keywords, scraped_at)
  SELECT '${WORKSPACE}', $1 || '_' || n, 'forum', 'a title', 'author', now(), '/p', n, 1, 0, 'text', 'self', false, false, '', 0, false,
    '{}', 0, 'neutral', '{}', now() FROM generate_series(1, $2::int) AS n`;
const COMMENTS = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id, author, body, score,
    created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at)
  SELECT '${WORKSPACE}', hashtextextended($1 || n, 0), $1 || n, 'p', '/r/f/', 'f', 'p', 'author', 'a body', 1, now(), 0, false, 0, 'neutral', now()
  FROM generate_series(1, $2::int) AS n`;
const OTHERS = [
  `UPDATE posts SET score = score + 1 WHERE workspace_id = '${WORKSPACE}' AND id = 'seed_1'`,
  `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
   SELECT '${WORKSPACE}', gen_random_uuid(), 'f', 'forum', 'full', 10, false, false`,
  `SELECT sum(rows) FROM post_count_deltas WHERE workspace_id = '${WORKSPACE}'`,
];
/**
 * Rejects statements that hold a lock for a time that depends on the table's size: rewrites, index builds that are not
 * concurrent, and checks of every row.
 */
const GUARDS = `
  CREATE FUNCTION guard_rows(relation oid) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE found boolean;
  BEGIN
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', relation::regclass) INTO found;
    RETURN found;
  END $$;
  CREATE FUNCTION guard_rewrite() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'rewrites %', pg_event_trigger_table_rewrite_oid()::regclass;
  END $$;
  CREATE FUNCTION guard_command() RETURNS event_trigger LANGUAGE plpgsql AS $$
  DECLARE command record; relation oid;
  BEGIN
    FOR command IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP
      IF command.command_tag = 'CREATE INDEX' AND current_query() !~* 'concurrently' THEN
        SELECT indrelid INTO relation FROM pg_index WHERE indexrelid = command.objid;
        IF guard_rows(relation) THEN RAISE EXCEPTION 'blocks writes of %', relation::regclass; END IF;
      ELSIF command.command_tag = 'ALTER TABLE' AND current_query() !~* 'not valid|validate constraint'
        AND current_query() ~* 'add (constraint|foreign|check|unique|primary)|set not null' AND guard_rows(command.objid) THEN
        RAISE EXCEPTION 'checks every row of %', command.objid::regclass;
      END IF;
    END LOOP;
  END $$;
  CREATE EVENT TRIGGER guard_rewrite ON table_rewrite EXECUTE FUNCTION guard_rewrite();
  CREATE EVENT TRIGGER guard_command ON ddl_command_end WHEN TAG IN ('CREATE INDEX', 'ALTER TABLE') EXECUTE FUNCTION guard_command();`;

/** A migration made by the recipes of docs/contributing.md. It can be interrupted and repeated. */
class Reviews1999999999999 implements MigrationInterface {
  name = 'Reviews1999999999999';
  /** The index is built and rows are checked beside writes, and tables are locked briefly and separately. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run = <Row>(sql: string): Promise<Row[]> => runner.manager.query<Row[]>(sql);
    await run(`ALTER TABLE posts ADD COLUMN IF NOT EXISTS reviewed_at timestamptz,
      ADD COLUMN IF NOT EXISTS review text NOT NULL DEFAULT 'none'`);
    await run('DROP INDEX IF EXISTS posts_by_review');
    await run('CREATE INDEX CONCURRENTLY posts_by_review ON posts (workspace_id, reviewed_at, id)');
    await run(`ALTER TABLE posts DROP CONSTRAINT IF EXISTS posts_review_check,
      ADD CONSTRAINT posts_review_check CHECK (review IN ('none', 'good', 'bad')) NOT VALID`);
    await run('ALTER TABLE posts VALIDATE CONSTRAINT posts_review_check');
    await run(`CREATE TABLE IF NOT EXISTS reviewers (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name text NOT NULL,
      PRIMARY KEY (workspace_id, name))`);
    await secureRows(run);
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_VIEWS);
    await runner.query('ALTER TABLE posts DROP COLUMN reviewed_at, DROP COLUMN review');
    await runner.query('DROP TABLE reviewers');
    await secureLists(<Row>(sql: string): Promise<Row[]> => runner.manager.query<Row[]>(sql));
  }
}

let database: SteppedDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await database.migrate([BASELINE]);
  client = await connect(database.url);
  await client.query(`INSERT INTO workspaces (id, name) VALUES ('${WORKSPACE}', 'w')`);
  await client.query(POSTS, ['seed', ROWS]);
  await client.query(COMMENTS, ['seed', ROWS]);
  await client.query(GUARDS);
});

afterAll(async () => {
  await client?.end();
  await database.drop();
});

/** Executes the statements again and again while `work` runs; rejects if a lock takes more than a second. */
async function besideWriters(name: string, work: () => Promise<unknown>): Promise<void> {
  let [begun, isDone] = [0, false];
  const writers = Array.from({ length: WRITERS }, async (_, index) => {
    const writer = await connect(database.url);
    try {
      await writer.query(`SET lock_timeout = '1s'`);
      for (let pass = 0; !isDone; pass += 1) {
        await writer.query(POSTS, [`${name}_${index}_${pass}`, 3]);
        await writer.query(COMMENTS, [`${name}_${index}_${pass}`, 3]);
        for (const statement of OTHERS) await writer.query(statement);
        if (pass === 0) begun += 1;
      }
    } finally {
      await writer.end();
    }
  });
  try {
    await Promise.race([until(() => begun === WRITERS), Promise.all(writers)]);
    await work();
  } finally {
    isDone = true;
    await Promise.allSettled(writers);
  }
  await Promise.all(writers);
}

describe('migrations', () => {
  it.each([
    ['rewrites posts', 'ALTER TABLE posts ALTER COLUMN score TYPE bigint'],
    ['blocks writes of posts', 'CREATE INDEX ON posts (flair)'],
    ['checks every row of posts', 'ALTER TABLE posts ADD CONSTRAINT few CHECK (total_awards < 5)'],
    ['checks every row of comments', 'ALTER TABLE comments ALTER COLUMN annotations SET NOT NULL'],
  ])('are refused when one %s', async (reason, statement) => {
    await expect(client.query(statement)).rejects.toThrow(reason);
  });

  it.each([
    'CREATE INDEX CONCURRENTLY posts_by_flair ON posts (flair)',
    `ALTER TABLE posts ADD COLUMN later text NOT NULL DEFAULT ''`,
    'ALTER TABLE posts ADD CONSTRAINT few CHECK (total_awards < 5) NOT VALID',
    'ALTER TABLE posts VALIDATE CONSTRAINT few',
  ])('may %s', async (statement) => {
    await client.query(statement);
  });

  it('run beside writers, none of which fails or waits a second for a lock', async () => {
    const later = (await migrationNumbers()).filter((number) => number > BASELINE).sort((a, b) => a - b);
    expect(later.length).toBeGreaterThan(0);
    const done = [BASELINE];
    for (const number of later) {
      done.push(number);
      await besideWriters(`m${number}`, () => database.migrate(done));
    }
  });

  it('made by the recipes run and are reverted beside writers', async () => {
    const dataSource = new DataSource({
      ...dataSourceOptions(database.url),
      migrations: [Reviews1999999999999],
    });
    await dataSource.initialize();
    try {
      await besideWriters('up', () => dataSource.runMigrations());
      expect(await findGap(runSqlOn(client))).toBeNull();
      await besideWriters('down', () => dataSource.undoLastMigration({ transaction: 'none' }));
      expect(await findGap(runSqlOn(client))).toBeNull();
    } finally {
      await dataSource.destroy();
    }
  });

  it('refuse a database of states before the first release', async () => {
    const older = await createEmptyDatabase();
    const owner = await connect(older.url);
    try {
      await owner.query('CREATE TABLE workspaces (id uuid)');
      await expect(older.migrate([BASELINE])).rejects.toThrow('Use a new database');
    } finally {
      await owner.end();
      await older.drop();
    }
  });

  it('leave the counts of rows exact', async () => {
    const { rows } = await client.query<{ counted: string; stored: string }>(
      `SELECT (SELECT sum(rows) FROM post_count_deltas) AS counted, (SELECT count(*) FROM posts) AS stored`,
    );
    expect(rows[0]!.counted).toBe(rows[0]!.stored);
  });
});
