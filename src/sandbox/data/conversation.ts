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

  /** Number of posts, removed ones included. */
  get count(): number {
    return this.data.count(this.forum);
  }

  /** A post; null when there is none, or when it is removed. */
  find(index: number): Opening | null {
    const { data, forum } = this;
    if (!Number.isInteger(index) || index < 0 || index >= this.count || data.isRemoved(forum, index))
      return null;
    const bits = hash(data.seed, 401, index);
    const { title, body } = postText(forum.subject, bits, true);
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
      return {
        parent: parent[reply]!,
        author: data.authors.names[data.authors.anyone(bits)]!,
        text: commentText(forum.subject, bits),
        createdAt: new Date(data.commentedAt(forum, index, reply) * 1_000),
        likes: bits % 7,
      };
    });
  }

  /** A page of posts, newest first, from the post after `before` on; null for the newest. */
  page(before: number | null, size: number): Opening[] {
    const page: Opening[] = [];
    for (
      let index = Math.min(before ?? this.count, this.count) - 1;
      index >= 0 && page.length < size;
      index -= 1
    ) {
      const post = this.find(index);
      if (post !== null) page.push(post);
    }
    return page;
  }
}
