import { Conversations, type Opening, type Reply } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { nodeinfo } from '../wire/nodeinfo.js';
import { accountNumber, numberAt, placeOf, STRIDE } from '../wire/numbered.js';

const MAX_PAGE = 100;
const MAGAZINE = { magazineId: 1, name: 'general', isAdult: false };

interface Comment {
  parentId: number | null;
  children: Comment[];
  childCount: number;
}

/** A synthetic Mbin instance with one magazine. Maps a path below the instance's base to a response. */
export class MbinRoutes {
  private readonly entries: Conversations;

  constructor(data: DataSet) {
    this.entries = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    return (
      nodeinfo(path, 'mbin') ??
      this.list(path, params) ??
      this.one(path, params) ??
      json(404, { type: 'about:blank', title: 'Not Found', status: 404 })
    );
  }

  private list(path: string, params: URLSearchParams): Answer | null {
    if (path === '/api/entries' || path === `/api/magazine/${MAGAZINE.magazineId}/entries`)
      return page(this.entries.all(), params, entryOf);
    const [, user] = /^\/api\/users\/(\d+)\/entries$/.exec(path) ?? [];
    if (user !== undefined) return page(this.by(Number(user)), params, entryOf);
    const [, id] = /^\/api\/entry\/(\d+)\/comments$/.exec(path) ?? [];
    const entry = id === undefined ? null : this.entries.find(Number(id) / STRIDE - 1);
    if (entry === null) return null;
    const top = this.comments(entry).filter(({ parentId }) => parentId === null);
    return page(top, params, (comment) => cut(comment, depthIn(params)));
  }

  private one(path: string, params: URLSearchParams): Answer | null {
    if (path === `/api/magazine/name/${MAGAZINE.name}`) return json(200, MAGAZINE);
    const [, name] = /^\/api\/users\/name\/([^/]+)$/.exec(path) ?? [];
    const [post] = name === undefined ? [] : this.by(accountNumber(decodeURIComponent(name)));
    if (post !== undefined) return json(200, userOf(post.author));
    const [, kind, id = ''] = /^\/api\/(entry|comments)\/(\d+)$/.exec(path) ?? [];
    const { index, comment: at } = placeOf(Number(id));
    const entry = this.entries.find(index);
    if (kind === undefined || entry === null) return null;
    if (kind === 'entry') return json(200, entryOf(entry));
    const comment = at === null ? undefined : this.comments(entry)[at];
    return comment === undefined ? null : json(200, cut(comment, depthIn(params)));
  }

  private by(user: number): Opening[] {
    return this.entries.all().filter(({ author }) => accountNumber(author) === user);
  }

  /** The comments of an entry, each with those below it. */
  private comments(entry: Opening): Comment[] {
    const replies = this.entries.replies(entry.index).slice(0, STRIDE - 1);
    const comments = replies.map((reply, at) => commentOf(entry, reply, at));
    for (const [at, { parent }] of [...replies.entries()].reverse()) {
      const above = comments[parent];
      above?.children.unshift(comments[at]!);
      if (above) above.childCount += 1 + comments[at]!.childCount;
    }
    return comments;
  }
}

function page<T>(all: readonly T[], params: URLSearchParams, itemOf: (one: T) => object): Answer {
  const perPage = Math.min(MAX_PAGE, Number(params.get('perPage') ?? 25));
  const number = Number(params.get('p') ?? 1);
  const maxPage = Math.max(1, Math.ceil(all.length / perPage));
  if (number > maxPage) return json(404, { status: 404 });
  return json(200, {
    items: all.slice((number - 1) * perPage, number * perPage).map(itemOf),
    pagination: { count: all.length, currentPage: number, maxPage, perPage },
  });
}

const depthIn = (params: URLSearchParams): number => Number(params.get('d') ?? 10);

const cut = (comment: Comment, depth: number): Comment => ({
  ...comment,
  children: depth === 0 ? [] : comment.children.map((child) => cut(child, depth - 1)),
});

const userOf = (username: string): object => ({ userId: accountNumber(username), username });

function entryOf({ index, title, text, author, createdAt, likes, replies }: Opening): object {
  return {
    entryId: numberAt(index),
    magazine: MAGAZINE,
    user: userOf(author),
    title,
    body: text,
    url: null,
    type: 'article',
    isAdult: false,
    visibility: 'visible',
    createdAt: createdAt.toISOString(),
    numComments: replies,
    favourites: likes,
    uv: 0,
    dv: 0,
  };
}

function commentOf(
  { index }: Opening,
  { author, text, createdAt, likes, parent }: Reply,
  at: number,
): Comment {
  const comment = {
    commentId: numberAt(index, at),
    entryId: numberAt(index),
    parentId: parent < 0 ? null : numberAt(index, parent),
    magazine: MAGAZINE,
    user: userOf(author),
    body: text,
    visibility: 'visible',
    createdAt: createdAt.toISOString(),
    favourites: likes,
    uv: 0,
    dv: 0,
  };
  return { ...comment, children: [], childCount: 0 };
}
