import { commentText, postText } from '../text/text.js';
import type { DataSet } from './data-set.js';
import type { Forum } from './forums.js';
import { hash } from './random.js';

/** A text that someone wrote, in a conversation. */
export interface Statement {
  author: string;
  text: string;
  createdAt: Date;
  likes: number;
}

/** A generated post as platforms show it that know neither votes down nor links. */
export interface Opening extends Statement {
  /** From 0. */
  index: number;
  title: string;
  replies: number;
}

/** A reply; `parent` is the index of the reply that it answers, or -1. Parents come before their replies. */
export interface Reply extends Statement {
  parent: number;
}

/** Numbers of a forum's posts: generated ones, which may become more with the clock, and added ones. */
export interface Extent {
  generated: number;
  added: number;
}

/** The posts of one generated forum as conversations, for platforms that are derived from it. */
export class Conversations {
  private readonly forum: Forum;

  /** Falls back to the first forum. */
  constructor(
    private readonly data: DataSet,
    name: string,
  ) {
    this.forum = data.forum(name) ?? data.forums[0]!;
  }

  /** Number of posts, those that are gone included. */
  get count(): number {
    const { generated, added } = this.extent;
    return generated + added;
  }

  /** The numbers of posts that exist now. */
  get extent(): Extent {
    const { data, forum } = this;
    return { generated: data.count(forum), added: this.added().length };
  }

  /** A post; null when there is none, or when it is gone. */
  find(index: number): Opening | null {
    const { data, forum } = this;
    if (!Number.isInteger(index) || index < 0 || !data.forumOf({ forum: forum.number, index })) return null;
    if (data.isRemoved(forum, index) || data.fate(forum, index) !== null) return null;
    const added = data.edits.post(forum.number, index);
    const generated = postText(forum.subject, hash(data.seed, 401, index), true);
    const title = added?.title ?? generated.title;
    const body = added?.selftext ?? (added?.title == null ? generated.body : '');
    return {
      index,
      title,
      author: data.authors.names[data.author(forum, index) ?? 0]!,
      text: body === '' ? title : body,
      createdAt: new Date(data.createdAt(forum, index) * 1_000),
      likes: Math.max(0, data.score(forum, index)),
      replies: data.threadSize(forum, index),
    };
  }

  /** Number of replies to a post itself. */
  directReplies(index: number): number {
    const { parent, size } = this.data.thread(this.forum, index);
    return Array.from({ length: size }, (_, reply) => parent[reply]!).filter((of) => of < 0).length;
  }

  /** The replies to a post, in the order of their indexes. */
  replies(index: number): Reply[] {
    const { data, forum } = this;
    const { parent, size } = data.thread(forum, index);
    return Array.from({ length: size }, (_, reply) => {
      const bits = hash(data.seed, 402, index, reply);
      const added = data.edits.comment(forum.number, index, reply);
      return {
        parent: parent[reply]!,
        author: data.authors.names[added?.author ?? data.authors.anyone(bits)]!,
        text: added?.body ?? commentText(forum.subject, bits),
        createdAt: new Date(data.commentedAt(forum, index, reply) * 1_000),
        likes: added?.score ?? bits % 7,
      };
    });
  }

  /** A page of posts, newest first, from the post after `before` on; null for the newest. */
  page(before: number | null, size: number): Opening[] {
    const page: Opening[] = [];
    for (const index of this.indexes(before ?? Infinity)) {
      if (page.length >= size) break;
      const post = this.find(index);
      if (post !== null) page.push(post);
    }
    return page;
  }

  /** All posts, newest first. */
  all(): Opening[] {
    return this.page(null, this.count);
  }

  /** The posts that have appeared since the forum had an earlier extent, oldest first. */
  since(known: Extent): Opening[] {
    const generated = Array.from(
      { length: Math.max(0, this.extent.generated - known.generated) },
      (_, at) => known.generated + at,
    );
    const added = this.added().slice(known.added);
    return [...generated, ...added].flatMap((index) => this.find(index) ?? []);
  }

  /** The indexes of posts below `before`, added ones before generated ones, newest first. */
  private *indexes(before: number): Generator<number> {
    for (const index of this.added().reverse()) if (index < before) yield index;
    for (let index = Math.min(before, this.data.count(this.forum)) - 1; index >= 0; index -= 1) yield index;
  }

  /** The indexes of added posts, oldest first. */
  private added(): number[] {
    return this.data.edits.postsWhere({ forum: this.forum.number }).map(({ index }) => index);
  }
}
