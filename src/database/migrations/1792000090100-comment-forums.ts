import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Number range of Hacker News comments: from the first, below the second. */
const HACKERNEWS_NUMBERS = [2 ** 52, 2 ** 53] as const;
const ROWS_PER_STATEMENT = 2_000;

/**
 * Stores the forum of its post in each comment. Comments of Hacker News get it here, because the path of their post
 * does not contain it. Each batch is its own transaction, so that no writer waits for more than one batch. Can be
 * repeated after an interruption.
 */
export class CommentForums1792000090100 implements MigrationInterface {
  name = 'CommentForums1792000090100';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE comments ADD COLUMN IF NOT EXISTS forum text');
    for (const { id } of (await runner.query('SELECT id FROM workspaces')) as { id: string }[])
      await fillWorkspace(runner, id);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE comments DROP COLUMN forum');
  }
}

async function fillWorkspace(runner: QueryRunner, workspaceId: string): Promise<void> {
  const [first, end] = HACKERNEWS_NUMBERS;
  for (let from: string | null = String(first); from !== null;) {
    const [{ last }] = (await runner.query(
      `SELECT max(id)::text AS last FROM (
         SELECT id FROM comments WHERE workspace_id = $1 AND id >= $2 AND id < $3 ORDER BY id LIMIT ${ROWS_PER_STATEMENT}
       ) AS batch`,
      [workspaceId, from, end],
    )) as [{ last: string | null }];
    if (last !== null) await fillBatch(runner, workspaceId, from, last);
    from = last === null ? null : String(BigInt(last) + 1n);
  }
}

/** Locks rows in the order of their ids, as all writers of comments do. */
async function fillBatch(
  runner: QueryRunner,
  workspaceId: string,
  from: string,
  last: string,
): Promise<void> {
  await runner.query(
    `UPDATE comments SET forum = posts.forum FROM posts
     WHERE comments.workspace_id = $1 AND comments.id = ANY (ARRAY(
         SELECT id FROM comments
         WHERE workspace_id = $1 AND id BETWEEN $2 AND $3 AND forum IS NULL ORDER BY id FOR UPDATE))
       AND posts.workspace_id = $1 AND posts.id = comments.post_id`,
    [workspaceId, from, last],
  );
}
