import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../common/collections.js';
import { mapInSlices } from '../../common/slices.js';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import { SOURCES } from '../../platforms/registry.js';
import { ErasedCommentsRepository } from '../../content/comments/erased-comments.repository.js';
import { ErasedDatasets } from '../../takeout/datasets/erased-datasets.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { ErasedPostsRepository } from '../../content/posts/erased-posts.repository.js';
import { ErasedTextsRepository } from '../../search/erased-texts.repository.js';
import {
  isCaseSensitive,
  type Subject,
  subjectsOfComment,
  subjectsOfPost,
} from '../../content/suppressions/suppressed-subject.js';
import { Suppressions } from '../../content/suppressions/suppressions.service.js';
import { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import { COMMENTS_AT_ONCE, ErasedRows } from './erased-rows.js';
import { ErasedTraces } from './erased-traces.js';
import type { Erasure, ErasurePhase } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Posts per batch; their comments are erased first. */
const POSTS_AT_ONCE = 20;
/** Rows of a restored database that are examined together. */
const EXAMINED_AT_ONCE = 2_000;

/** The next part of an erasure; neither when nothing is left. */
interface NextRows {
  posts: string[];
  comments: string[];
}

/**
 * Carries out an erasure in steps, each of which can be repeated after a crash: the rows and all that belongs to them,
 * other traces, and finally the search index, which the builder of segments rewrites.
 */
@Injectable()
export class ErasurePass {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly suppressions: Suppressions,
    private readonly keys: WorkspaceKeys,
    private readonly stored: PostsRepository,
    private readonly posts: ErasedPostsRepository,
    private readonly comments: ErasedCommentsRepository,
    private readonly rows: ErasedRows,
    private readonly datasets: ErasedDatasets,
    private readonly traces: ErasedTraces,
    private readonly texts: ErasedTextsRepository,
  ) {}

  /** Executes the next step. Returns whether another can follow at once. */
  async step(erasure: Erasure, signal: AbortSignal): Promise<boolean> {
    const { workspaceId, id, suppressionId } = erasure;
    switch (erasure.phase) {
      case 'begin':
        if (suppressionId !== null) await this.suppressions.extend(workspaceId, suppressionId, []);
        return this.next(erasure, erasure.sealedSubject === null ? 'examine_posts' : 'rows');
      case 'examine_posts':
        return this.examinePosts(erasure, signal);
      case 'examine_comments':
        return this.examineComments(erasure, signal);
      case 'rows':
        return this.eraseRows(erasure, await this.subjectOf(erasure), signal);
      case 'datasets':
        return this.eraseDatasets(erasure);
      case 'traces': {
        const removed =
          erasure.sealedSubject === null
            ? await this.traces.eraseFiles(workspaceId, null)
            : await this.traces.erase(workspaceId, await this.subjectOf(erasure));
        await this.erasures.count(workspaceId, id, removed);
        await this.texts.expediteChanges(workspaceId);
        return this.next(erasure, 'changes');
      }
      case 'changes':
        if (await this.texts.isDue(workspaceId)) return false;
        await this.texts.expediteSegments(workspaceId);
        return this.next(erasure, 'segments');
      case 'segments':
        if (await this.texts.isDue(workspaceId)) return false;
        await this.erasures.complete(workspaceId, erasure);
        return false;
    }
  }

  private async next(erasure: Erasure, phase: ErasurePhase, scannedTo: string | null = null): Promise<true> {
    await this.erasures.advance(erasure.workspaceId, erasure.id, phase, scannedTo);
    return true;
  }

  private async subjectOf({ workspaceId, id, sealedSubject }: Erasure): Promise<Subject> {
    const box = new SecretBox([await this.keys.get(workspaceId, 'erasures')]);
    return JSON.parse(box.open(sealedSubject!, { workspaceId, purpose: `erasure:${id}` })) as Subject;
  }

  private async eraseRows(erasure: Erasure, subject: Subject, signal: AbortSignal): Promise<true> {
    const { posts, comments } = await this.find(erasure.workspaceId, subject);
    await this.traces.eraseStreamed(erasure.workspaceId, subject, [...posts, ...comments]);
    if (posts.length > 0) await this.rows.erasePosts(erasure, posts, signal);
    else if (comments.length > 0) await this.rows.eraseComments(erasure, comments, signal);
    else return this.next(erasure, 'datasets');
    return true;
  }

  /** Erases the rows of the next file of a dataset. Those that are being written start again. */
  private async eraseDatasets(erasure: Erasure): Promise<true> {
    const { workspaceId, id, scannedTo } = erasure;
    if (scannedTo === null) await this.datasets.restart(workspaceId);
    const position = await this.datasets.eraseNext(
      workspaceId,
      scannedTo,
      (rows, subjectsOf) => this.named(erasure, rows, subjectsOf),
      (removed, tx) => this.erasures.count(workspaceId, id, { dataset_rows: removed }, tx),
    );
    return position === null ? this.next(erasure, 'traces') : this.next(erasure, 'datasets', position);
  }

  private async find(workspaceId: string, subject: Subject): Promise<NextRows> {
    if (subject.kind === 'author') {
      const { author, source } = subject;
      const ids = source === null ? { post: '', comment: '' } : SOURCES.content(source)!.ids;
      const isExact = isCaseSensitive(source);
      const ofPosts = { idPrefix: ids.post, isExact };
      const posts = await this.posts.findOfAuthor(workspaceId, author, ofPosts, POSTS_AT_ONCE);
      if (posts.length > 0) return { posts, comments: [] };
      const found = await this.comments.findOfAuthor(
        workspaceId,
        author,
        { idPrefix: ids.comment, isExact },
        COMMENTS_AT_ONCE,
      );
      return { posts, comments: found.map(({ commentId }) => commentId) };
    }
    if (subject.kind === 'comment') {
      const isStored = await this.comments.isStored(workspaceId, subject.id);
      return { posts: [], comments: isStored ? [subject.id] : [] };
    }
    const isLeft =
      (await this.stored.find(workspaceId, subject.id)) !== null ||
      (await this.comments.findOfPosts(workspaceId, [subject.id], 1)).length > 0;
    return { posts: isLeft ? [subject.id] : [], comments: [] };
  }

  /** Examines the next posts by the hashes that a restored list brought, and erases those that it names. */
  private async examinePosts(erasure: Erasure, signal: AbortSignal): Promise<true> {
    const { workspaceId, scannedTo } = erasure;
    const page = await this.posts.listAfter(workspaceId, scannedTo ?? '', EXAMINED_AT_ONCE);
    const ids = await this.named(erasure, page, subjectsOfPost);
    for (const posts of chunksOf(ids, POSTS_AT_ONCE)) {
      const some = posts.map((post) => post.id);
      while ((await this.comments.findOfPosts(workspaceId, some, 1)).length > 0)
        await this.rows.erasePosts(erasure, some, signal);
      await this.rows.erasePosts(erasure, some, signal);
    }
    if (page.length < EXAMINED_AT_ONCE) return this.next(erasure, 'examine_comments');
    return this.next(erasure, 'examine_posts', page.at(-1)!.id);
  }

  private async examineComments(erasure: Erasure, signal: AbortSignal): Promise<true> {
    const { workspaceId, scannedTo } = erasure;
    const page = await this.comments.listAfter(workspaceId, scannedTo ?? '', EXAMINED_AT_ONCE);
    const found = await this.named(erasure, page, subjectsOfComment);
    for (const comments of chunksOf(found, COMMENTS_AT_ONCE))
      await this.rows.eraseComments(
        erasure,
        comments.map(({ commentId }) => commentId),
        signal,
      );
    if (page.length < EXAMINED_AT_ONCE) return this.next(erasure, 'datasets');
    return this.next(erasure, 'examine_comments', String(SOURCES.commentNumber(page.at(-1)!.commentId)));
  }

  /** Those of the rows whose subjects this erasure, restored ones or suppressions name. */
  private async named<Row>(
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
}
