import { Injectable } from '@nestjs/common';
import { mapInSlices } from '../../common/slices.js';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import { SOURCES } from '../../platforms/registry.js';
import { ErasedCommentsRepository } from '../../content/comments/erased-comments.repository.js';
import { ErasedPostsRepository } from '../../content/posts/erased-posts.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import {
  isCaseSensitive,
  subjectsOfComment,
  subjectsOfPost,
} from '../../content/suppressions/suppressed-subject.js';
import { Suppressions } from '../../content/suppressions/suppressions.service.js';
import type { AuthorSubject, Subject } from '../../tenants/ports/erasure-subject.js';
import { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import { COMMENTS_AT_ONCE } from './erased-rows.js';
import type { Erasure } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Posts per batch; their comments are erased first. */
export const POSTS_AT_ONCE = 20;
/** Rows of a restored database that are examined together. */
const EXAMINED_AT_ONCE = 2_000;

/** Ids of the rows to erase next; both empty when nothing is left. */
export interface NextRows {
  posts: string[];
  comments: string[];
}

/** Examined rows: ids of those to erase, and the position after which the next page begins; null after the last page. */
export interface ExaminedRows {
  ids: string[];
  scannedTo: string | null;
}

/** Finds the posts and comments that an erasure names, by its subject or by hashes of subjects. */
@Injectable()
export class RowsToErase {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly suppressions: Suppressions,
    private readonly keys: WorkspaceKeys,
    private readonly stored: PostsRepository,
    private readonly posts: ErasedPostsRepository,
    private readonly comments: ErasedCommentsRepository,
  ) {}

  /** The subject of an erasure that has one. */
  async subjectOf({ workspaceId, id, sealedSubject }: Erasure): Promise<Subject> {
    const box = new SecretBox([await this.keys.get(workspaceId, 'erasures')]);
    return JSON.parse(box.open(sealedSubject!, { workspaceId, purpose: `erasure:${id}` })) as Subject;
  }

  /** The next rows of a subject. */
  async find(workspaceId: string, subject: Subject): Promise<NextRows> {
    if (subject.kind === 'author') return this.findOfAuthor(workspaceId, subject);
    if (subject.kind === 'comment') {
      const isStored = await this.comments.isStored(workspaceId, subject.id);
      return { posts: [], comments: isStored ? [subject.id] : [] };
    }
    const isLeft =
      (await this.stored.find(workspaceId, subject.id)) !== null ||
      (await this.comments.findOfPosts(workspaceId, [subject.id], 1)).length > 0;
    return { posts: isLeft ? [subject.id] : [], comments: [] };
  }

  /** Examines the next posts by the hashes that a restored list brought. */
  async examinePosts(erasure: Erasure): Promise<ExaminedRows> {
    const page = await this.posts.listAfter(erasure.workspaceId, erasure.scannedTo ?? '', EXAMINED_AT_ONCE);
    const named = await this.named(erasure, page, subjectsOfPost);
    return {
      ids: named.map(({ id }) => id),
      scannedTo: page.length < EXAMINED_AT_ONCE ? null : page.at(-1)!.id,
    };
  }

  /** As {@link examinePosts}, of comments. */
  async examineComments(erasure: Erasure): Promise<ExaminedRows> {
    const page = await this.comments.listAfter(
      erasure.workspaceId,
      erasure.scannedTo ?? '',
      EXAMINED_AT_ONCE,
    );
    const named = await this.named(erasure, page, subjectsOfComment);
    return {
      ids: named.map(({ commentId }) => commentId),
      scannedTo:
        page.length < EXAMINED_AT_ONCE ? null : String(SOURCES.commentNumber(page.at(-1)!.commentId)),
    };
  }

  /** Those of the rows whose subjects this erasure, restored ones or suppressions name. */
  async named<Row>(
    { workspaceId, id, subjectHash }: Erasure,
    rows: readonly Row[],
    subjectsOf: (row: Row) => Subject[],
  ): Promise<Row[]> {
    const hash = await this.suppressions.hasher(workspaceId);
    const hashes = await mapInSlices(rows, (row) => subjectsOf(row).map(hash));
    const erased = await this.erasures.hashesAmong(workspaceId, id, hashes.flat());
    for (const one of [subjectHash, ...(await this.erasures.restoredHashes(workspaceId))])
      erased.add(one.toString('hex'));
    const allowed = new Set(await this.suppressions.filter(workspaceId, rows, subjectsOf));
    return rows.filter(
      (row, index) => !allowed.has(row) || hashes[index]!.some((one) => erased.has(one.toString('hex'))),
    );
  }

  private async findOfAuthor(workspaceId: string, { author, source }: AuthorSubject): Promise<NextRows> {
    const ids = source === null ? { post: '', comment: '' } : SOURCES.content(source)!.ids;
    const isExact = isCaseSensitive(source);
    const ofPosts = { idPrefix: ids.post, isExact };
    const posts = await this.posts.findOfAuthor(workspaceId, author, ofPosts, POSTS_AT_ONCE);
    if (posts.length > 0) return { posts, comments: [] };
    const ofComments = { idPrefix: ids.comment, isExact };
    const found = await this.comments.findOfAuthor(workspaceId, author, ofComments, COMMENTS_AT_ONCE);
    return { posts, comments: found.map(({ commentId }) => commentId) };
  }
}
