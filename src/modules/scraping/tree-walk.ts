import type { Platform } from '../../platforms/platform.js';
import type { PendingTree } from '../jobs/job-work.repository.js';
import type { AsyncQueue } from './async-queue.js';
import type { BatchEnrichment } from './batch-enrichment.js';
import type { CommentSink } from './comment-sink.js';
import type { ScrapeRun } from './scrape-run.js';

/** Comment trees that one job walks together; `morechildren` stays one at a time. */
export const TREES_AT_ONCE = 8;

/** Walks trees from the queue until it is closed and empty. */
export async function walkTrees(
  run: ScrapeRun,
  trees: AsyncQueue<PendingTree>,
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
  tree: PendingTree,
  platform: Platform,
  enrichment: BatchEnrichment,
  sink: CommentSink,
): Promise<void> {
  const progress = { postId: tree.id, comments: 0, missing: 0, done: false };
  for await (const slice of platform.walkComments(tree, run.session)) {
    const rows = await enrichment.comments(slice.comments);
    progress.comments += rows.length;
    progress.missing = slice.missing;
    await sink.push({ rows, tree: { ...progress } });
  }
  await sink.push({ rows: [], tree: { ...progress, done: true } });
}
