import { draftOfComment, draftOfPost, type EnrichmentStep } from '../../enrichment/enrichment-step.js';
import type { PluginStep } from '../../enrichment/plugins/plugin-step.js';
import { mapInSlices } from '../../common/slices.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { type CommentRow, type PostRow, toCommentRow, toPostRow } from './records.js';
import type { StepTimings } from './step-timings.js';

/** A post with the row to store for it and its phrases. */
export interface EnrichedPost {
  post: PlatformPost;
  row: PostRow;
  phraseKeys: Uint32Array;
}

/**
 * Converts platform records into rows, outside any transaction. The plugins see the whole batch first; then each text
 * passes through all steps in order, so that its tokens can be freed early. Each step is timed under its name.
 */
export class EnrichmentPipeline {
  constructor(
    private readonly plugins: PluginStep,
    private readonly steps: readonly EnrichmentStep[],
    private readonly timings: StepTimings,
  ) {}

  /** Rows in the order of the posts, without those that a plugin dropped. `readAt` is when their reading began. */
  async posts(posts: readonly PlatformPost[], readAt: Date): Promise<EnrichedPost[]> {
    const { plugins, steps, timings } = this;
    const kept = await timings.timed(plugins.name, () => plugins.posts(posts.map(draftOfPost)));
    return mapInSlices(kept, (plugged) => {
      let draft = plugged;
      for (const step of steps) draft = timings.timedSync(step.name, () => step.post(draft));
      return { post: draft.post, row: toPostRow(draft, readAt), phraseKeys: draft.phraseKeys };
    });
  }

  /** As {@link EnrichmentPipeline.posts}. */
  async comments(comments: readonly PlatformComment[], readAt: Date): Promise<CommentRow[]> {
    const { plugins, steps, timings } = this;
    const kept = await timings.timed(plugins.name, () => plugins.comments(comments.map(draftOfComment)));
    return mapInSlices(kept, (plugged) => {
      let draft = plugged;
      for (const step of steps)
        if (step.comment) draft = timings.timedSync(step.name, () => step.comment!(draft));
      return toCommentRow(draft, readAt);
    });
  }
}
