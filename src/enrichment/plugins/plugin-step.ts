import type { CommentDraft, PostDraft } from '../enrichment-step.js';
import type { PluginRunner } from './plugin-runner.js';

/** Runs the plugins that a job names, in the job's order, over whole batches: they may change drafts or drop some. */
export class PluginStep {
  readonly name = 'plugins';

  constructor(private readonly runner: PluginRunner) {}

  async posts(drafts: PostDraft[]): Promise<PostDraft[]> {
    const byId = new Map(drafts.map((draft) => [draft.post.id, draft]));
    const items = await this.runner.posts(drafts.map(({ post }) => post));
    return items.map(({ record, annotations }) => ({ ...byId.get(record.id)!, post: record, annotations }));
  }

  async comments(drafts: CommentDraft[]): Promise<CommentDraft[]> {
    const byId = new Map(drafts.map((draft) => [draft.comment.id, draft]));
    const items = await this.runner.comments(drafts.map(({ comment }) => comment));
    return items.map(({ record, annotations }) => ({
      ...byId.get(record.id)!,
      comment: record,
      annotations,
    }));
  }
}
