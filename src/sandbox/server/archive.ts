import { firstIndex } from '../../common/collections.js';
import { CommentRenderer } from '../wire/comments.js';
import { renderPostRow, type WireContext } from '../wire/posts.js';
import type { Forum } from '../data/forums.js';
import type { PostPosition } from '../data/numbered-ids.js';
import type { Listings } from '../data/listings.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json, jsonText } from './answer.js';

const PAGE_LIMIT = 100;
const USUAL_PAGE = 25;

/** In seconds, both ends exclusive. */
interface Span {
  after: number;
  before: number;
}

/** An Arctic Shift compatible archive of the same data: no cap, no token, pages by time. */
export class ArchiveRoutes {
  constructor(
    private readonly data: DataSet,
    private readonly listings: Listings,
    private readonly slowAboveLimit: number | null,
  ) {}

  posts(params: URLSearchParams, context: WireContext): Answer {
    const limit = limitOf(params);
    if (this.isTooMuch(limit)) return slowDown();
    const found = this.find(params, spanOf(params), isAscending(params), limit);
    if (!found) return json(400, { data: null, error: 'subreddit or author is required' });
    const rows = found.map(({ forum, index }) => {
      const createdUtc = this.data.createdAt(this.forum(forum), index);
      return renderPostRow(this.forum(forum), index, context, retrieval(createdUtc));
    });
    return jsonText(`{"data":[${rows.join(',')}]}`);
  }

  comments(params: URLSearchParams, context: WireContext): Answer {
    const limit = limitOf(params);
    if (this.isTooMuch(limit)) return slowDown();
    const post = this.data.ids.parsePost((params.get('link_id') ?? '').replace(/^t3_/, ''));
    const forum = post && this.data.forumOf(post);
    if (!post || !forum) return jsonText('{"data":[]}');
    const span = spanOf(params);
    const thread = this.data.thread(forum, post.index);
    const renderer = new CommentRenderer(forum, post.index, thread, context);
    const rows: string[] = [];
    const isUp = isAscending(params);
    for (let step = 0; step < thread.size && rows.length < limit; step++) {
      const comment = isUp ? step : thread.size - 1 - step;
      const createdUtc = this.data.commentedAt(forum, post.index, comment);
      if (!isWithin(createdUtc, span) || thread.isUndelivered(comment)) continue;
      rows.push(renderer.row(comment, retrieval(createdUtc)));
    }
    return jsonText(`{"data":[${rows.join(',')}]}`);
  }

  private find(params: URLSearchParams, span: Span, isUp: boolean, limit: number): PostPosition[] | null {
    const name = params.get('subreddit');
    const author = params.get('author');
    if (author !== null) {
      const number = this.data.authors.find(author);
      const forum = name === null ? null : this.data.forum(name);
      const posts = (number === null ? [] : this.listings.ofAuthor(number)).filter(
        (post) =>
          (forum === null || forum.number === post.forum) &&
          isWithin(this.data.createdAt(this.forum(post.forum), post.index), span),
      );
      return (isUp ? posts.reverse() : posts).slice(0, limit);
    }
    if (name === null) return null;
    const forum = this.data.forum(name);
    return forum ? this.ofForum(forum, span, isUp, limit) : [];
  }

  private ofForum(forum: Forum, span: Span, isUp: boolean, limit: number): PostPosition[] {
    const first = this.firstAfter(forum, span.after);
    const end = this.firstAfter(forum, span.before - 1);
    const found: PostPosition[] = [];
    for (let step = 0; first + step < end && found.length < limit; step++) {
      const index = isUp ? first + step : end - 1 - step;
      if (!this.data.isHidden(forum, index)) found.push({ forum: forum.number, index });
    }
    const added = this.data.edits
      .postsWhere({ forum: forum.number })
      .filter((post) => isWithin(post.createdUtc, span));
    if (added.length === 0) return found;
    const at = (post: PostPosition): number => this.data.createdAt(forum, post.index);
    const merged = [...found, ...added].sort((a, b) => at(a) - at(b) || a.index - b.index);
    return (isUp ? merged : merged.reverse()).slice(0, limit);
  }

  /** Index of the first post after a time. */
  private firstAfter(forum: Forum, seconds: number): number {
    return firstIndex(this.data.count(forum), (index) => this.data.createdAt(forum, index) > seconds);
  }

  private isTooMuch(limit: number): boolean {
    return this.slowAboveLimit !== null && limit > this.slowAboveLimit;
  }

  private forum(number: number): Forum {
    return this.data.forums[number - 1]!;
  }
}

const slowDown = (): Answer => json(422, { data: null, error: 'Timeout. Maybe slow down a bit' });

const retrieval = (createdUtc: number): object => ({
  retrieved_on: createdUtc + 15,
  _meta: { retrieved_2nd_on: createdUtc + 130_000 },
});

const isWithin = (seconds: number, span: Span): boolean => seconds > span.after && seconds < span.before;

const isAscending = (params: URLSearchParams): boolean => params.get('sort') === 'asc';

function limitOf(params: URLSearchParams): number {
  const limit = Number.parseInt(params.get('limit') ?? '', 10);
  return Number.isNaN(limit) ? USUAL_PAGE : Math.min(PAGE_LIMIT, Math.max(1, limit));
}

function spanOf(params: URLSearchParams): Span {
  return {
    after: timeOf(params.get('after')) ?? -Infinity,
    before: timeOf(params.get('before')) ?? Infinity,
  };
}

/** Parses seconds since 1970, or a date. */
function timeOf(text: string | null): number | null {
  if (text === null || text === '') return null;
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  return Number.isNaN(time) ? null : time;
}
