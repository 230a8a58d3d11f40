import type pg from 'pg';
import { Violation } from '../violation.js';
import type { World } from '../world.js';
import { isErased } from './erasures.js';

/** How many of the newest posts of a forum a job has read that began after the last change. */
const LISTED = 12;

interface Stored {
  id: string;
  state: string;
}

/** The newest posts of the platform, and their comments, are stored in their last state, and counted. */
export async function checkContents(control: pg.Client, world: World, changedUntil: number): Promise<void> {
  for (const workspaceId of world.workspaces) {
    const read = async (sql: string): Promise<Map<string, string>> => {
      const { rows } = await control.query<Stored>(sql, [workspaceId]);
      return new Map(rows.map(({ id, state }) => [id, state]));
    };
    const posts = await read(
      `SELECT id, title || ' ' || score || ' ' || num_comments AS state FROM posts WHERE workspace_id = $1`,
    );
    const comments = await read(
      `SELECT comment_id AS id, body AS state FROM comments WHERE workspace_id = $1`,
    );
    const { rows: forums } = await control.query<{ target: string }>(
      `SELECT DISTINCT target FROM jobs
       WHERE workspace_id = $1 AND status = 'completed' AND started_at > to_timestamp($2)`,
      [workspaceId, changedUntil / 1_000],
    );
    const newest = forums
      .map(({ target }) => target)
      .flatMap((forum) => world.posts.get(forum)!.slice(-LISTED));
    const hasErased = world.erasures.some((erasure) => erasure.workspaceId === workspaceId);
    for (const { row, comments: own } of newest) {
      const isKept = (...authors: string[]): boolean =>
        !isErased(world, workspaceId, { id: row.id, authors: [row.author, ...authors] });
      if (!isKept()) continue;
      const state = `${row.title} ${row.score} ${row.numComments}`;
      if (posts.get(row.id) !== state)
        throw new Violation(`Post ${row.id} is stored as ${posts.get(row.id)} and is ${state}`);
      const missing = own.find(
        ({ commentId, body, author }) => isKept(author) && comments.get(commentId) !== body,
      );
      if (missing !== undefined) throw new Violation(`Comment ${missing.commentId} is not stored`);
    }
    const { rows } = await control.query<{ id: string; counted: number; stored: number }>(
      `SELECT id, posts_scraped AS counted, (SELECT coalesce(sum(cardinality(post_ids)), 0)::int
         FROM job_stored_posts WHERE workspace_id = $1 AND job_id = jobs.id) AS stored
       FROM jobs WHERE workspace_id = $1 AND status = 'completed'`,
      [workspaceId],
    );
    // The lists of jobs lose erased posts.
    const wrong = rows.find(({ counted, stored }) => (hasErased ? counted < stored : counted !== stored));
    if (wrong !== undefined)
      throw new Violation(`Job ${wrong.id} counts ${wrong.counted} posts and stored ${wrong.stored}`);
  }
}
