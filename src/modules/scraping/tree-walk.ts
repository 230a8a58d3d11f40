import type { Platform } from '../../platforms/platform.js';
import type { PendingTree } from '../jobs/job-work.repository.js';
import type { AsyncQueue } from './async-queue.js';
import type { BatchEnrichment } from './batch-enrichment.js';
import type { CommentSink } from './comment-sink.js';
import type { ScrapeRun } from './scrape-run.js';

/**
 * Comment trees that one job walks together: more than the platform client sends requests at once, so that none of its
 * places is empty while trees are analysed and stored.
 */
export const TREES_AT_ONCE = 12;

/** A tree to walk, perhaps ahead of its post's row. */
export interface QueuedTree extends PendingTree {
  /** Settles when the post is stored: comments follow it. */
  stored: Promise<void>;
}

/** Walks trees from the queue until it is closed and empty. */
export async function walkTrees(
  run: ScrapeRun,
  trees: AsyncQueue<QueuedTree>,
  platform: Platform,
  enrichment: BatchEnrichment,
  sink: CommentSink,
): Promise<void> {
  for (let tree = await trees.next(); tree !== undefined; tree = await trees.next()) {
    run.signal.throwIfAborted();
    await walkTree(run, tree, platform, enrichment, sink);
  }
}

async function walkTree(
  run: ScrapeRun,
  tree: QueuedTree,
  platform: Platform,
  enrichment: BatchEnrichment,
  sink: CommentSink,
): Promise<void> {
  const progress = { postId: tree.id, comments: 0, missing: 0, done: false };
  const slices = run.timings.timedItems('trees', platform.walkComments(tree, run.session));
  for await (const slice of slices) {
    const rows = await run.timings.timed('enrich', () => enrichment.comments(slice.comments));
    progress.comments += rows.length;
    progress.missing = slice.missing;
    await tree.stored;
    await sink.push({ rows, tree: { ...progress } });
  }
  await tree.stored;
  await sink.push({ rows: [], tree: { ...progress, done: true } });
}
