import { Injectable } from '@nestjs/common';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostTextsRepository } from '../../content/posts/post-texts.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { type AlertScope, watches } from '../alert/alert-scope.js';
import { idsByKind, keyOfComment } from '../../content/comments/comment-keys.js';
import { textOf } from './record-text.js';
import { MAX_CHARACTERS } from './text-reader.js';

/** Reads the texts that alerts learn from, by the ids under which matches name their records. */
@Injectable()
export class MatchedTexts {
  constructor(
    private readonly posts: PostsRepository,
    private readonly postTexts: PostTextsRepository,
    private readonly comments: CommentsRepository,
  ) {}

  /** The texts of those records that are stored. */
  async find(workspaceId: string, recordIds: readonly string[]): Promise<Map<string, string>> {
    const { postIds, commentIds } = idsByKind(recordIds);
    const [posts, comments] = await Promise.all([
      postIds.length === 0 ? [] : this.posts.findMany(workspaceId, postIds),
      commentIds.length === 0 ? [] : this.comments.findMany(workspaceId, commentIds),
    ]);
    return new Map([
      ...[...posts].map(([id, post]) => [id, textOf(post)] as const),
      ...[...comments].map(([id, comment]) => [keyOfComment(id), textOf(comment)] as const),
    ]);
  }

  /** The newest texts of the kinds that an alert watches, up to a number of each, without those of some records. */
  async newestBesides(
    workspaceId: string,
    of: AlertScope,
    limit: number,
    without: ReadonlySet<string>,
  ): Promise<string[]> {
    const [posts, comments] = await Promise.all([
      watches(of, 'posts') ? this.postTexts.newest(workspaceId, limit, MAX_CHARACTERS) : [],
      watches(of, 'comments') ? this.comments.newestTexts(workspaceId, limit, MAX_CHARACTERS) : [],
    ]);
    return [
      ...posts.filter(({ id }) => !without.has(id)).map(textOf),
      ...comments.filter(({ id }) => !without.has(keyOfComment(id))).map(({ text }) => text),
    ];
  }
}
