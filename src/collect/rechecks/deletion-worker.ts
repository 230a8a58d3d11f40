import { Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { deletedComment, deletedPost } from '../../platforms/deleted-content.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { StreamsRepository } from '../streams/streams.repository.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';
import { ContentRechecker } from './content-rechecker.js';

const POLL_MS = 2_000;
const DELETIONS_AT_ONCE = 500;
const WORKSPACES_AT_ONCE = 1_000;

/** Overwrites content that a stream reports as deleted, in all workspaces. Repeating it has no further effect. */
@Injectable()
export class DeletionWorker extends RepeatedWork {
  constructor(
    private readonly streams: StreamsRepository,
    private readonly workspaces: WorkspacesRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly rechecker: ContentRechecker,
  ) {
    super(POLL_MS, 'deletions postponed');
  }

  /** Overwrites the oldest deletions. Returns whether there may be more. */
  override async work(): Promise<boolean> {
    const deletions = await this.streams.listDeletions(DELETIONS_AT_ONCE);
    if (deletions.length === 0) return false;
    const ids = deletions.filter(({ isAccount }) => !isAccount).map(({ id }) => id);
    const beginnings = deletions.filter(({ isAccount }) => isAccount).map(({ id }) => id);
    for (let after: string | null = null; ;) {
      const workspaceIds: string[] = await this.workspaces.listIds(after, WORKSPACES_AT_ONCE);
      const posts = await this.posts.findStored(workspaceIds, ids, beginnings);
      const comments = await this.comments.findStored(workspaceIds, ids, beginnings);
      for (const workspaceId of new Set([...posts, ...comments].map((one) => one.workspaceId))) {
        const idsOf = (rows: typeof posts): string[] =>
          rows.filter((row) => row.workspaceId === workspaceId).map(({ id }) => id);
        await this.rechecker.overwriteGone(
          workspaceId,
          idsOf(posts).map((id) => deletedPost(id)),
          idsOf(comments).map((id) => deletedComment(id)),
          this.stopping.signal,
        );
      }
      if (workspaceIds.length < WORKSPACES_AT_ONCE) break;
      after = workspaceIds.at(-1)!;
    }
    await this.streams.removeDeletions(deletions);
    return deletions.length === DELETIONS_AT_ONCE;
  }
}
