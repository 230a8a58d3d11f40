import type { Clock } from '../../common/clock.js';
import {
  type CommentDraft,
  draftOfComment,
  draftOfPost,
  type EnrichmentStep,
  type PostDraft,
} from '../../enrichment/enrichment-step.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { type CommentRow, type PostRow, toCommentRow, toPostRow } from './records.js';
import type { StepTimings } from './step-timings.js';

/** A post, the row that is stored of it, and its phrases. */
export interface EnrichedPost {
  post: PlatformPost;
  row: PostRow;
  phraseKeys: readonly number[];
}

/** Turns what the platform sent into rows: runs the steps in their order, each timed by its name, outside any transaction. */
export class EnrichmentPipeline {
  constructor(
    private readonly steps: readonly EnrichmentStep[],
    private readonly clock: Clock,
    private readonly timings: StepTimings,
  ) {}

  /** Rows in the order of the posts, without those that a step left out. */
  async posts(posts: readonly PlatformPost[]): Promise<EnrichedPost[]> {
    const scrapedAt = this.clock.now();
    let drafts: PostDraft[] = posts.map(draftOfPost);
    for (const step of this.steps) drafts = await this.timings.timed(step.name, () => step.posts(drafts));
    return drafts.map((draft) => ({
      post: draft.post,
      row: toPostRow(draft, scrapedAt),
      phraseKeys: draft.phraseKeys,
    }));
  }

  /** Rows in the order of the comments, without those that a step left out. */
  async comments(comments: readonly PlatformComment[]): Promise<CommentRow[]> {
    const scrapedAt = this.clock.now();
    let drafts: CommentDraft[] = comments.map(draftOfComment);
    for (const step of this.steps)
      if (step.comments) drafts = await this.timings.timed(step.name, () => step.comments!(drafts));
    return drafts.map((draft) => toCommentRow(draft, scrapedAt));
  }
}
