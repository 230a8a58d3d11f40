import type pg from 'pg';
import { Violation } from '../violation.js';
import { LISTED, type World, type WorldPost } from '../world.js';
import { isErased } from './erasures.js';
import { stateOfComment, stateOfPost, storedStates } from './readings.js';

/** A completed job that read all that was listed. */
interface WholeJob {
  id: string;
  target: string;
  startedAt: Date;
  endedAt: Date;
  /** Whether it has read the posts again that were stored before. */
  refreshes: boolean;
  hasComments: boolean;
}

/**
 * What was listed from the start of a completed job to its end is stored, after the last change (`changedUntil`) in its
 * last state; and ended jobs count the posts that they have stored.
 */
export async function checkContents(control: pg.Client, world: World, changedUntil: number): Promise<void> {
  for (const workspaceId of world.workspaces) {
    const stored = await storedStates(control, workspaceId);
    const { rows: jobs } = await control.query<WholeJob>(
      `SELECT id, target, started_at AS "startedAt", completed_at AS "endedAt", mode = 'full' AS refreshes,
         mode <> 'monitor' AND NOT progress ? 'comments_missing' AS "hasComments"
       FROM jobs WHERE workspace_id = $1 AND status = 'completed' AND progress->>'stop_reason' <> 'limit'`,
      [workspaceId],
    );
    for (const job of jobs) {
      const isLast = job.refreshes && job.startedAt.getTime() > changedUntil;
      const check = (id: string, postId: string, state: string): void => {
        const authors = [id, postId].map((one) => world.authors.get(one)!);
        if (isErased(world, workspaceId, { id: postId, authors })) return;
        if (!stored.has(id)) throw new Violation(`Job ${job.id} has completed, and ${id} is not stored`);
        if (isLast && stored.get(id) !== state)
          throw new Violation(`Job ${job.id} has completed, and ${id} is ${stored.get(id)}, not ${state}`);
      };
      for (const { row, comments } of listedDuring(world, job)) {
        check(row.id, row.id, stateOfPost(row));
        if (job.hasComments)
          for (const comment of comments.filter(({ createdUtc }) => createdUtc < job.startedAt))
            check(comment.commentId, row.id, stateOfComment(comment));
      }
    }
    await checkLists(control, world, workspaceId);
  }
}

/** Posts that the listing of a job's target showed from the job's start to its end, and that it shows still. */
function listedDuring({ posts }: World, { target, startedAt, endedAt }: WholeJob): WorldPost[] {
  return posts
    .get(target)!
    .filter(({ row }) => row.createdUtc < endedAt)
    .slice(-LISTED)
    .filter(({ row, isListed }) => isListed && row.createdUtc < startedAt);
}

/** The lists of jobs lose erased posts. */
async function checkLists(control: pg.Client, { erasures }: World, workspaceId: string): Promise<void> {
  const hasErased = erasures.some((erasure) => erasure.workspaceId === workspaceId);
  const { rows } = await control.query<{ id: string; counted: number; stored: number }>(
    `SELECT id, posts_scraped AS counted, (SELECT coalesce(sum(cardinality(post_ids)), 0)::int
       FROM job_stored_posts WHERE workspace_id = $1 AND job_id = jobs.id) AS stored
     FROM jobs WHERE workspace_id = $1 AND status IN ('completed', 'failed')`,
    [workspaceId],
  );
  const wrong = rows.find(({ counted, stored }) => (hasErased ? counted < stored : counted !== stored));
  if (wrong !== undefined)
    throw new Violation(`Job ${wrong.id} counts ${wrong.counted} posts and stored ${wrong.stored}`);
}
