import type { ItemFaults } from '../../platforms/item-faults.js';
import type { Platform, TreePost } from '../../platforms/platform.js';
import type { AsyncQueue } from './async-queue.js';
import type { CommentSink } from './comment-sink.js';
import type { EnrichmentPipeline } from './enrichment-pipeline.js';
import type { JobExecution } from './job-execution.js';
import { commentsMissing } from './log/sentences.js';

/**
 * Comment trees that one job walks at a time. This exceeds the number of concurrent requests of the platform client, so
 * that requests continue while trees are analysed and stored.
 */
export const TREES_AT_ONCE = 12;
/** Trees that fail in a row, without another that is read between them, before the job fails. */
export const MAX_FAILED_TREES = TREES_AT_ONCE / 2;

/** A comment tree to walk. */
export interface QueuedTree extends TreePost {
  /** Number of comments reported by the platform. */
  numComments: number;
  /** When its listing was read, whose texts of comments a platform may keep; absent after another execution read it. */
  readAt?: Date;
  /** Resolves when the post is stored; its comments are stored after it. */
  stored: Promise<void>;
}

/**
 * Walks trees from the queue until it is closed and empty. Several calls may share one queue and its faults: the
 * comments of a tree that cannot be read count as missing, unless the faults say that it ends the job.
 */
export async function walkTrees(
  execution: JobExecution,
  trees: AsyncQueue<QueuedTree>,
  platform: Pick<Platform, 'walkComments'>,
  enrichment: Pick<EnrichmentPipeline, 'comments'>,
  sink: Pick<CommentSink, 'push'>,
  faults: ItemFaults,
): Promise<void> {
  const walk = async (tree: QueuedTree): Promise<void> => {
    const progress = { postId: tree.id, comments: 0, missing: 0, done: false };
    const began = faults.begin();
    let failure: string | null = null;
    const readAt = tree.readAt ?? execution.clock.now();
    try {
      const slices = platform.walkComments(tree, execution.session);
      for await (const slice of execution.timings.timedItems('trees', slices)) {
        const rows = await enrichment.comments(slice.comments, readAt);
        progress.comments += rows.length;
        progress.missing = slice.missing;
        await tree.stored;
        await sink.push({ rows, tree: { ...progress } });
      }
      faults.succeeded();
    } catch (error) {
      execution.signal.throwIfAborted();
      if (!faults.passesOver(error, began)) throw error;
      progress.missing = Math.max(progress.missing, tree.numComments - progress.comments, 1);
      failure = (error as Error).message;
    }
    await tree.stored;
    if (failure !== null) execution.log.add('warn', 'comments_not_read', failure, { post_id: tree.id });
    if (progress.missing > 0)
      execution.log.add('warn', 'comments_missing', commentsMissing(progress.missing), {
        post_id: tree.id,
        missing: progress.missing,
      });
    await sink.push({ rows: [], tree: { ...progress, done: true } });
  };
  for await (const tree of trees) {
    execution.signal.throwIfAborted();
    await execution.walked.run(tree.id, () => walk(tree));
  }
}
