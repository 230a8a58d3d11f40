import { Conversations, type Opening, type Reply } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { nodeinfo } from '../wire/nodeinfo.js';
import { accountNumber, numberAt, numbersTo, placeOf } from '../wire/numbered.js';

const MAX_PAGE = 50;
/** Most comments of a response that contains whole trees. */
const MAX_TREE = 300;
const COMMUNITY = { id: 1, name: 'general', local: true, nsfw: false };

/** A synthetic Lemmy instance of version 0.19 with one community. Maps a path below the instance's base to a response. */
export class LemmyRoutes {
  private readonly posts: Conversations;

  constructor(data: DataSet) {
    this.posts = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    switch (path) {
      case '/api/v3/site':
        return json(200, { site_view: { site: { name: 'Synthetic' } }, version: '0.19.3' });
      case '/api/v3/community':
        return params.get('name') === COMMUNITY.name
          ? json(200, { community_view: { community: COMMUNITY } })
          : missing('community');
      case '/api/v3/post/list':
        return this.list(params);
      case '/api/v3/user':
        return this.user(params);
      case '/api/v3/comment/list':
        return this.comments(params);
      case '/api/v3/post':
      case '/api/v3/comment':
        return this.one(Number(params.get('id')));
      default:
        return nodeinfo(path, 'lemmy') ?? json(404, { error: 'not_found' });
    }
  }

  /** Pages by the cursor of the last post; the page after the last one is empty. */
  private list(params: URLSearchParams): Answer {
    if ((params.get('community_name') ?? COMMUNITY.name) !== COMMUNITY.name) return missing('community');
    const cursor = params.get('page_cursor');
    const before = cursor === null ? null : placeOf(parseInt(cursor.slice(1), 16)).index;
    const page = this.posts.page(before, sizeOf(params));
    const last = page.at(-1);
    return json(200, {
      posts: page.map(postView),
      next_page: last === undefined ? null : `P${numberAt(last.index).toString(16)}`,
    });
  }

  private user(params: URLSearchParams): Answer {
    const name = params.get('username');
    const own = this.posts.all().filter(({ author }) => author === name);
    if (own.length === 0) return missing('person');
    return json(200, {
      person_view: { person: personOf(own[0]!.author) },
      posts: numberedPage(own, params).map(postView),
      comments: [],
    });
  }

  /** Of one post, oldest first and at most {@link MAX_TREE} as trees; else those of all posts, newest first. */
  private comments(params: URLSearchParams): Answer {
    const id = params.get('post_id');
    if (id === null) {
      const views = this.posts.all().flatMap((post) => this.commentViews(post));
      views.sort((a, b) => Date.parse(b.comment.published) - Date.parse(a.comment.published));
      return json(200, { comments: numberedPage(views, params) });
    }
    const post = this.posts.find(placeOf(Number(id)).index);
    if (post === null) return missing('post');
    const views = this.commentViews(post);
    return json(200, {
      comments: params.has('max_depth') ? views.slice(0, MAX_TREE) : numberedPage(views, params),
    });
  }

  private one(id: number): Answer {
    const { index, comment } = placeOf(id);
    const post = this.posts.find(index);
    if (post === null) return missing(comment === null ? 'post' : 'comment');
    if (comment === null) return json(200, { post_view: postView(post) });
    const view = this.commentViews(post)[comment];
    return view === undefined ? missing('comment') : json(200, { comment_view: view });
  }

  private commentViews(post: Opening) {
    const replies = this.posts.replies(post.index);
    const below = replies.map(() => 0);
    for (const { parent } of replies)
      for (let at = parent; at >= 0; at = replies[at]!.parent) below[at]! += 1;
    return replies.map((reply, at) =>
      commentView(post, reply, numbersTo(post.index, replies, at), below[at]!),
    );
  }
}

const missing = (kind: string): Answer => json(400, { error: `couldnt_find_${kind}` });

const sizeOf = (params: URLSearchParams): number => Math.min(MAX_PAGE, Number(params.get('limit') ?? 10));

function numberedPage<T>(all: readonly T[], params: URLSearchParams): T[] {
  const [size, page] = [sizeOf(params), Number(params.get('page') ?? 1)];
  return all.slice((page - 1) * size, page * size);
}

const personOf = (name: string): object => ({ id: accountNumber(name), name, local: true });

function postView({ index, title, text, author, createdAt, likes, replies }: Opening): object {
  return {
    post: {
      id: numberAt(index),
      name: title,
      body: text,
      creator_id: accountNumber(author),
      published: createdAt.toISOString(),
      deleted: false,
      removed: false,
      nsfw: false,
    },
    creator: personOf(author),
    community: COMMUNITY,
    counts: { comments: replies, score: likes, upvotes: likes, downvotes: 0 },
  };
}

function commentView(post: Opening, reply: Reply, path: readonly number[], below: number) {
  return {
    comment: {
      id: path.at(-1)!,
      post_id: numberAt(post.index),
      creator_id: accountNumber(reply.author),
      content: reply.text,
      path: ['0', ...path].join('.'),
      published: reply.createdAt.toISOString(),
      deleted: false,
      removed: false,
    },
    creator: personOf(reply.author),
    community: COMMUNITY,
    post: { id: numberAt(post.index), creator_id: accountNumber(post.author) },
    counts: { child_count: below, score: reply.likes, upvotes: reply.likes, downvotes: 0 },
  };
}
