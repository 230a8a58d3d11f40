import type { Clock } from '../../common/clock.js';
import type { TextAnalyzer } from '../../enrichment/analyzer.js';
import type { WorkspaceFrequencies } from '../../enrichment/keywords/workspace-frequencies.js';
import type { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import { mapInSlices } from '../../enrichment/slices.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { type CommentRow, type PostRow, toCommentRow, toPostRow } from './records.js';

/** A post and the row that is stored of it. */
export interface EnrichedPost {
  post: PlatformPost;
  row: PostRow;
}

/**
 * Turns what the platform sent into rows: first the job's plugins in their order, then the analysis of what they left, in
 * slices, for the same process answers to heartbeats and other jobs.
 */
export class BatchEnrichment {
  constructor(
    private readonly plugins: PluginRunner,
    private readonly analyzer: TextAnalyzer,
    private readonly clock: Clock,
    /** What the workspace always talks about; read only. */
    private readonly frequencies?: WorkspaceFrequencies,
  ) {}

  async posts(posts: readonly PlatformPost[]): Promise<EnrichedPost[]> {
    const scrapedAt = this.clock.now();
    const items = await this.plugins.posts(posts);
    return mapInSlices(items, ({ record: post, annotations }) => {
      const analysis = this.analyzer.analyzePost(post.title, post.selftext, this.frequencies);
      return { post, row: toPostRow(post, analysis, annotations, scrapedAt) };
    });
  }

  async comments(comments: readonly PlatformComment[]): Promise<CommentRow[]> {
    const scrapedAt = this.clock.now();
    const items = await this.plugins.comments(comments);
    return mapInSlices(items, ({ record, annotations }) =>
      toCommentRow(record, this.analyzer.scoreComment(record.body), annotations, scrapedAt),
    );
  }
}
