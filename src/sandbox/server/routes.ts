import { CommentRenderer, NO_REPLIES } from '../wire/comments.js';
import { listing, type ThingJson } from '../wire/things.js';
import { renderPost, type WireContext } from '../wire/posts.js';
import type { Forum } from '../data/forums.js';
import type { PostPosition } from '../data/numbered-ids.js';
import { Listings, type Sort, SORTS, type Window, WINDOWS } from '../data/listings.js';
import { COMMENT_SORTS, type CommentSort, DEFAULT_TREE_LIMIT, LEVELS, TREE_LIMIT } from '../data/thread.js';
import type { DataSet } from '../data/data-set.js';
import { badRequest, json, jsonText, notFound, type Outcome } from './answer.js';
import { refuseForum, SUSPENDED_USER } from './refused-targets.js';

/** Maximum number of posts of a listing page and of ids of an `info` request. */
export const PAGE_LIMIT = 100;
/** Maximum number of comment ids of a `morechildren` request; more are answered with 400. */
const MORE_LIMIT = 100;

/** The platform's API: maps a path and parameters to a response from the generated data. */
export class ApiRoutes {
  readonly listings: Listings;

  constructor(private readonly data: DataSet) {
    this.listings = new Listings(data);
  }

  listing(name: string, sort: string, params: URLSearchParams, context: WireContext): Outcome {
    const forum = this.data.forum(name);
    if (!forum) return refuseForum(name);
    if (!isSort(sort)) return notFound();
    const posts = this.listings.ofForum(forum, sort, windowOf(params));
    const stickies = sort === 'hot' ? this.data.stickies(forum) : [];
    const top = stickies.map((index) => ({ forum: forum.number, index }));
    const rest = top.length === 0 ? posts : posts.filter((post) => !stickies.includes(post.index));
    return this.page(rest, params, context, top);
  }

  submitted(name: string, params: URLSearchParams, context: WireContext): Outcome {
    if (name.toLowerCase() === SUSPENDED_USER) return json(403, { message: 'Forbidden', error: 403 });
    const author = this.data.authors.find(name);
    const sort = params.get('sort') ?? 'new';
    if (author === null || !isSort(sort)) return notFound();
    return this.page(this.listings.ofAuthorSorted(author, sort, windowOf(params)), params, context);
  }

  comments(id: string, focus: string | null, params: URLSearchParams, context: WireContext): Outcome {
    const post = this.data.ids.parsePost(id);
    const forum = post && this.data.forumOf(post);
    if (!post || !forum) return notFound();
    const head = listing([renderPost(forum, post.index, context)], null, 1);
    const thread = this.data.thread(forum, post.index);
    const renderer = new CommentRenderer(forum, post.index, thread, context);
    const limit = clamp(params.get('limit'), DEFAULT_TREE_LIMIT, TREE_LIMIT);
    const levels = clamp(params.get('depth'), LEVELS, LEVELS);
    const sort = commentSortOf(params);
    if (focus === null) return jsonText(`[${head},${renderer.tree(thread.tree(null, limit, levels, sort))}]`);
    const entered = this.commentIndex(focus, post);
    if (entered === null) return jsonText(`[${head},${listing([], null, null)}]`);
    return jsonText(`[${head},${renderer.tree(thread.tree(entered, limit, levels, sort))}]`);
  }

  moreChildren(params: URLSearchParams, context: WireContext): Outcome {
    const ids = (params.get('children') ?? '').split(',').filter(Boolean);
    if (ids.length > MORE_LIMIT) return badRequest();
    const post = this.data.ids.parsePost((params.get('link_id') ?? '').replace(/^t3_/, ''));
    const forum = post && this.data.forumOf(post);
    if (!post || !forum) return notFound();
    const thread = this.data.thread(forum, post.index);
    const requested = ids.map((id) => this.commentIndex(id, post)).filter((index) => index !== null);
    const things = new CommentRenderer(forum, post.index, thread, context).flat(thread.more(requested));
    return jsonText(`{"json":{"errors":[],"data":{"things":[${things.join(',')}]}}}`);
  }

  info(params: URLSearchParams, context: WireContext): Outcome {
    const names = (params.get('id') ?? '').split(',').filter(Boolean).slice(0, PAGE_LIMIT);
    const things = names.map((name) => this.thing(name, context)).filter((thing) => thing !== null);
    return jsonText(listing(things, null));
  }

  aboutForum(name: string): Outcome {
    const forum = this.data.forum(name);
    if (!forum) return refuseForum(name);
    return json(200, {
      kind: 't5',
      data: {
        id: (9_000 + forum.number).toString(36),
        name: `t5_${(9_000 + forum.number).toString(36)}`,
        display_name: forum.name,
        display_name_prefixed: `r/${forum.name}`,
        title: forum.name,
        public_description: `Everything about ${forum.subject}.`,
        subscribers: forum.subscribers,
        subreddit_type: 'public',
        quarantine: false,
        over18: false,
        created_utc: this.data.createdAt(forum, 0) - 86_400,
        url: `/r/${forum.name}/`,
      },
    });
  }

  aboutUser(name: string): Outcome {
    if (name.toLowerCase() === SUSPENDED_USER)
      return json(200, { kind: 't2', data: { name: SUSPENDED_USER, is_suspended: true } });
    const author = this.data.authors.find(name);
    if (author === null) return notFound();
    return json(200, {
      kind: 't2',
      data: {
        id: (70_000 + author).toString(36),
        name: this.data.authors.names[author],
        created_utc: 1_400_000_000 + author * 86_400,
        link_karma: 10 + author * 13,
        comment_karma: 5 + author * 17,
        is_employee: false,
        verified: true,
        subreddit: { display_name: `u_${this.data.authors.names[author]}`, over_18: false },
      },
    });
  }

  private page(
    posts: readonly PostPosition[],
    params: URLSearchParams,
    context: WireContext,
    top: readonly PostPosition[] = [],
  ): Outcome {
    const limit = clamp(params.get('limit'), 25, PAGE_LIMIT);
    const after = this.data.ids.parsePost((params.get('after') ?? '').replace(/^t3_/, ''));
    const start = after ? startAfter(posts, after) : 0;
    const slice = start === null ? [] : posts.slice(start, start + limit);
    const shown = after ? slice : [...top, ...slice];
    const things = shown.map((post) => renderPost(this.forum(post), post.index, context));
    const isLast = start === null || start + limit >= posts.length;
    const last = slice.at(-1);
    return jsonText(
      listing(things, isLast || !last ? null : `t3_${this.data.ids.post(last.forum, last.index)}`),
    );
  }

  private thing(name: string, context: WireContext): ThingJson | null {
    if (name.startsWith('t3_')) {
      const post = this.data.ids.parsePost(name.slice(3));
      const forum = post && this.data.forumOf(post);
      return post && forum ? renderPost(forum, post.index, context) : null;
    }
    const at = name.startsWith('t1_') ? this.data.ids.parseComment(name.slice(3)) : null;
    const forum = at && this.data.forumOf(at);
    if (!at || !forum) return null;
    const thread = this.data.thread(forum, at.index);
    if (at.comment >= thread.size || thread.isUndelivered(at.comment)) return null;
    return new CommentRenderer(forum, at.index, thread, context).comment(at.comment, null, NO_REPLIES);
  }

  private commentIndex(id: string, post: PostPosition): number | null {
    const at = this.data.ids.parseComment(id.replace(/^t1_/, ''));
    const belongs = at && at.forum === post.forum && at.index === post.index;
    const forum = belongs ? this.data.forumOf(post) : null;
    return at && forum && at.comment < this.data.threadSize(forum, post.index) ? at.comment : null;
  }

  private forum(post: PostPosition): Forum {
    return this.data.forums[post.forum - 1]!;
  }
}

/** Index of the page after a post; null when the listing does not contain the post. */
function startAfter(posts: readonly PostPosition[], after: PostPosition): number | null {
  const position = posts.findIndex((post) => post.forum === after.forum && post.index === after.index);
  return position < 0 ? null : position + 1;
}

function clamp(text: string | null, usual: number, most: number): number {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) || number < 1 ? usual : Math.min(number, most);
}

const isSort = (text: string): text is Sort => SORTS.some((sort) => sort === text);

function windowOf(params: URLSearchParams): Window {
  const text = params.get('t') ?? 'day';
  return text in WINDOWS ? (text as Window) : 'day';
}

function commentSortOf(params: URLSearchParams): CommentSort {
  return COMMENT_SORTS.find((sort) => sort === params.get('sort')) ?? 'confidence';
}
