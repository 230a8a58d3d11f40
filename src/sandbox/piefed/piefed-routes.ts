import { Conversations, type Opening, type Reply } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { nodeinfo } from '../wire/nodeinfo.js';
import { accountNumber, numberAt, numbersTo, placeOf, STRIDE } from '../wire/numbered.js';

const MAX_PAGE = 50;
const COMMUNITY = { id: 1, name: 'general', local: true, nsfw: false };

/** A synthetic PieFed instance with one community. Maps a path below the instance's base to a response. */
export class PiefedRoutes {
  private readonly posts: Conversations;

  constructor(data: DataSet) {
    this.posts = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    const said = nodeinfo(path, 'piefed');
    if (said !== null) return said;
    // As PieFed poses as Lemmy.
    if (path === '/api/v3/site') return json(200, { site_view: { site: {} }, version: '1.0.0' });
    if (path === '/api/alpha/post/list') return this.list(params);
    if (path === '/api/alpha/comment/list') return this.comments(params);
    const found = this.one(path, params);
    return found === null
      ? json(400, { code: 400, message: 'Not found', status: 'Bad Request' })
      : json(200, found);
  }

  private one(path: string, params: URLSearchParams): object | null {
    const id = Number(params.get('id'));
    if (path === '/api/alpha/community')
      return params.get('name') === COMMUNITY.name ? { community_view: { community: COMMUNITY } } : null;
    if (path === '/api/alpha/user') {
      const [post] = this.by(accountNumber(params.get('username') ?? ''));
      return post === undefined ? null : { person_view: { person: personOf(post.author) } };
    }
    const { index, comment } = placeOf(id);
    const post = this.posts.find(index);
    if (post === null) return null;
    if (path === '/api/alpha/post') return { post_view: postView(post) };
    const view = comment === null ? undefined : this.commentViews(post)[comment];
    return path === '/api/alpha/comment' && view ? { comment_view: view } : null;
  }

  private list(params: URLSearchParams): Answer {
    const name = params.get('community_name') ?? COMMUNITY.name;
    const person = params.get('person_id');
    const all = name !== COMMUNITY.name ? [] : person === null ? this.posts.all() : this.by(Number(person));
    return page('posts', all, params, postView);
  }

  /** Of one post, oldest first; else those of all posts, newest first. */
  private comments(params: URLSearchParams): Answer {
    const id = params.get('post_id');
    const post = id === null ? null : this.posts.find(Number(id) / STRIDE - 1);
    const all = id === null ? this.posts.all() : post === null ? [] : [post];
    const views = all.flatMap((one) => this.commentViews(one));
    if (id === null) views.sort((a, b) => Date.parse(b.comment.published) - Date.parse(a.comment.published));
    return page('comments', views, params, (view) => view);
  }

  private by(person: number): Opening[] {
    return this.posts.all().filter(({ author }) => accountNumber(author) === person);
  }

  private commentViews(post: Opening) {
    const replies = this.posts.replies(post.index).slice(0, STRIDE - 1);
    return replies.map((reply, at) => commentView(post, replies, reply, at));
  }
}

function page<T>(
  name: string,
  all: readonly T[],
  params: URLSearchParams,
  viewOf: (one: T) => object,
): Answer {
  const limit = Math.min(MAX_PAGE, Number(params.get('limit') ?? 10));
  const number = Number(params.get('page') ?? 1);
  const isLast = number * limit >= all.length;
  return json(200, {
    [name]: all.slice((number - 1) * limit, number * limit).map(viewOf),
    next_page: isLast ? null : String(number + 1),
  });
}

const personOf = (name: string): object => ({ id: accountNumber(name), user_name: name, local: true });

function postView({ index, title, text, author, createdAt, likes, replies }: Opening): object {
  return {
    post: {
      id: numberAt(index),
      title,
      body: text,
      user_id: accountNumber(author),
      published: createdAt.toISOString(),
      deleted: false,
      removed: false,
      nsfw: false,
      post_type: 'Discussion',
    },
    creator: personOf(author),
    community: COMMUNITY,
    counts: { comments: replies, score: likes, upvotes: likes, downvotes: 0 },
  };
}

function commentView(post: Opening, replies: readonly Reply[], reply: Reply, at: number) {
  return {
    comment: {
      id: numberAt(post.index, at),
      post_id: numberAt(post.index),
      user_id: accountNumber(reply.author),
      body: reply.text,
      path: ['0', ...numbersTo(post.index, replies, at)].join('.'),
      published: reply.createdAt.toISOString(),
      deleted: false,
      removed: false,
    },
    creator: personOf(reply.author),
    community: COMMUNITY,
    post: { id: numberAt(post.index), user_id: accountNumber(post.author) },
    counts: { child_count: 0, score: reply.likes, upvotes: reply.likes, downvotes: 0 },
  };
}
