import { Injectable } from '@nestjs/common';
import { AlertMatchingService } from '../../alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import type { CommentRow, PostRow } from '../scraping/records.js';
import { type ClaimedText, HeardTextsRepository } from '../streams/heard-texts.repository.js';

/** Stands for the job in matches and events of what no job stored. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Rows to store for heard texts. Posts above comments are among the posts. */
export interface Rows {
  posts: PostRow[];
  comments: CommentRow[];
}

/** Stores heard texts as ordinary posts and comments. */
@Injectable()
export class HeardWriter {
  constructor(
    private readonly heard: HeardTextsRepository,
    private readonly transactions: RetryingTransactions,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly alerts: AlertMatchingService,
  ) {}

  /** Stores what was read of a workspace's texts, and leaves out the others. Alerts match what the workspace did not have. */
  async store(
    workspaceId: string,
    texts: readonly ClaimedText[],
    read: Rows,
    signal: AbortSignal,
  ): Promise<void> {
    const idsOf = (isComment: boolean): Set<string> =>
      new Set(texts.filter((text) => text.isComment === isComment).map(({ id }) => id));
    const [postIds, commentIds] = [idsOf(false), idsOf(true)];
    const comments = read.comments.filter(({ commentId }) => commentIds.has(commentId));
    const above = new Set(comments.map(({ postId }) => postId));
    const posts = read.posts.filter(({ id }) => postIds.has(id) || above.has(id));
    await this.alerts.withMatcher(workspaceId, (matcher) =>
      this.transactions.run(signal, async (tx) => {
        const { allowed, newIds } = await this.posts.upsert(workspaceId, posts, tx);
        const allowedIds = new Set(allowed.map(({ id }) => id));
        const below = comments.filter(({ postId }) => allowedIds.has(postId));
        const newNumbers = await this.comments.upsert(workspaceId, below, tx);
        const arrived = {
          posts: allowed.filter(({ id }) => newIds.has(id)),
          comments: below.filter(({ id }) => newNumbers.has(id)),
        };
        await this.alerts.matchBatch(workspaceId, NO_JOB, arrived, matcher, tx);
        const storedComments = new Set(below.map(({ commentId }) => commentId));
        const stored = texts.filter(({ id, isComment }) =>
          isComment ? storedComments.has(id) : allowedIds.has(id),
        );
        await this.heard.settle(workspaceId, stored, 'stored', tx);
        await this.heard.settle(workspaceId, texts, 'unread', tx);
      }),
    );
  }
}
