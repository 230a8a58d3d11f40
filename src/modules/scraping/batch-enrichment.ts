import type { Clock } from '../../common/clock.js';
import type { TextAnalyzer } from '../../enrichment/analyzer.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { type CommentRow, type PostRow, toCommentRow, toPostRow } from './records.js';

/** A post and the row that is stored of it. */
export interface EnrichedPost {
  post: PlatformPost;
  row: PostRow;
}

/** Turns what the platform sent into rows. */
export class BatchEnrichment {
  constructor(
    private readonly analyzer: TextAnalyzer,
    private readonly clock: Clock,
  ) {}

  posts(posts: readonly PlatformPost[]): Promise<EnrichedPost[]> {
    const scrapedAt = this.clock.now();
    return Promise.resolve(
      posts.map((post) => ({
        post,
        row: toPostRow(post, this.analyzer.analyzePost(post.title, post.selftext), scrapedAt),
      })),
    );
  }

  comments(comments: readonly PlatformComment[]): Promise<CommentRow[]> {
    const scrapedAt = this.clock.now();
    return Promise.resolve(
      comments.map((comment) => toCommentRow(comment, this.analyzer.scoreComment(comment.body), scrapedAt)),
    );
  }
}
