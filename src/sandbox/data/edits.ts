import { MAXIMUM_POSTS } from './numbered-ids.js';

/** First index of added posts; generated posts stay below. */
const FIRST_ADDED_POST = MAXIMUM_POSTS / 2;

/** How the platform shows content that is gone: deleted by its author, or removed by a moderator. */
export const FATES = ['deleted', 'removed'] as const;
export type Fate = (typeof FATES)[number];

/** A post that was added to the generated ones. Null fields are generated. */
export interface AddedPost {
  /** Number of the forum. */
  forum: number;
  index: number;
  /** Seconds. */
  createdUtc: number;
  author: number;
  title: string | null;
  selftext: string | null;
  /** Address of a link post; null for a text post. */
  url: string | null;
  score: number;
  flair: string | null;
  isAdult: boolean;
}

/** A comment that was added to a thread. */
export interface AddedComment {
  /** Index of the parent comment; -1 under the post. */
  parent: number;
  /** Seconds. */
  createdUtc: number;
  author: number;
  /** Null: generated. */
  body: string | null;
  score: number;
}

/** Comments added to a thread. Its generated part no longer grows, so that indexes stay the same. */
export interface AddedComments {
  generatedSize: number;
  comments: AddedComment[];
}

/** Additions to and deletions from the generated data. */
export class Edits {
  /** Changes with every edit. */
  revision = 0;
  private readonly posts: AddedPost[] = [];
  private readonly threads = new Map<string, AddedComments>();
  private readonly fates = new Map<string, Fate>();

  get counts(): { posts: number; comments: number; gone: number } {
    const comments = [...this.threads.values()].reduce((sum, thread) => sum + thread.comments.length, 0);
    return { posts: this.posts.length, comments, gone: this.fates.size };
  }

  addPost(post: Omit<AddedPost, 'index'>): AddedPost {
    this.revision += 1;
    const added = { ...post, index: FIRST_ADDED_POST + this.posts.length };
    this.posts.push(added);
    return added;
  }

  post(forum: number, index: number): AddedPost | null {
    const post = this.posts[index - FIRST_ADDED_POST];
    return post?.forum === forum ? post : null;
  }

  /** Added posts of one forum, or of one author, oldest first. */
  postsWhere(filter: { forum?: number; author?: number }): AddedPost[] {
    return this.posts.filter(
      (post) =>
        (filter.forum === undefined || post.forum === filter.forum) &&
        (filter.author === undefined || post.author === filter.author),
    );
  }

  /** Adds a comment and returns its index. `generatedSize` is the size of the thread before its first added comment. */
  addComment(forum: number, post: number, generatedSize: number, comment: AddedComment): number {
    this.revision += 1;
    const key = `${forum}/${post}`;
    const thread = this.threads.get(key) ?? { generatedSize, comments: [] };
    this.threads.set(key, thread);
    return thread.generatedSize + thread.comments.push(comment) - 1;
  }

  commentsOf(forum: number, post: number): AddedComments | null {
    return this.threads.get(`${forum}/${post}`) ?? null;
  }

  comment(forum: number, post: number, index: number): AddedComment | null {
    const thread = this.commentsOf(forum, post);
    return thread?.comments[index - thread.generatedSize] ?? null;
  }

  /** Marks a post, or with `comment` one of its comments, as deleted or removed. */
  mark(fate: Fate, forum: number, post: number, comment?: number): void {
    this.revision += 1;
    this.fates.set(keyOf(forum, post, comment), fate);
  }

  fate(forum: number, post: number, comment?: number): Fate | null {
    return this.fates.get(keyOf(forum, post, comment)) ?? null;
  }
}

const keyOf = (...parts: (number | undefined)[]): string => parts.join('/');
