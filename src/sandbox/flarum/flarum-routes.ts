import { Conversations, type Opening, type Statement } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { htmlOf } from '../text/html.js';

/** Distance between the numbers of the first posts of discussions; the numbers of their replies lie in between. */
const STRIDE = 5_000;
const MAX_PAGE = 50;
const TAG = 'general';

interface Resource {
  type: string;
  id: string;
  attributes: object;
  relationships?: object;
}

/** A synthetic Flarum forum with one tag. Maps a path below the forum's base to a response. */
export class FlarumRoutes {
  private readonly discussions: Conversations;

  constructor(data: DataSet) {
    this.discussions = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    if (path === '/api')
      return json(200, { data: { type: 'forums', id: '1', attributes: { title: 'Synthetic' } } });
    if (path === '/api/discussions') {
      const tag = params.get('filter[tag]') ?? TAG;
      const all = tag === TAG ? this.discussions.all() : [];
      return page(
        path,
        params,
        all,
        (some) => some.map((one) => discussionOf(one)),
        (some) => some.flatMap((one) => [postOf(one, one, 0), userOf(one.author)]),
      );
    }
    if (path === '/api/posts') {
      const opening = this.discussions.find(Number(params.get('filter[discussion]')) - 1);
      const all = opening === null ? [] : this.statements(opening).map((one, at) => ({ one, at, opening }));
      return page(
        path,
        params,
        all,
        (some) => some.map(({ one, at, opening: of }) => postOf(of, one, at)),
        (some) => some.map(({ one }) => userOf(one.author)),
      );
    }
    if (path === `/api/tags/${TAG}`) return json(200, { data: tagResource() });
    const [, kind, id] = /^\/api\/(discussions|posts)\/(\d+)$/.exec(path) ?? [];
    const index = kind === 'posts' ? Math.floor(Number(id) / STRIDE) - 1 : Number(id ?? 0) - 1;
    const opening = this.discussions.find(index);
    const one = opening && (kind === 'posts' ? this.statements(opening)[Number(id) % STRIDE] : opening);
    if (!opening || !one) return json(404, { errors: [{ status: '404', code: 'not_found' }] });
    const included = [postOf(opening, opening, 0), userOf(one.author), tagResource()];
    const data = kind === 'posts' ? postOf(opening, one, Number(id) % STRIDE) : discussionOf(opening);
    return json(200, { data, included });
  }

  private statements(opening: Opening): Statement[] {
    return [opening, ...this.discussions.replies(opening.index).slice(0, STRIDE - 1)];
  }
}

function page<T>(
  path: string,
  params: URLSearchParams,
  all: readonly T[],
  dataOf: (some: readonly T[]) => Resource[],
  includedOf: (some: readonly T[]) => Resource[],
): Answer {
  const limit = Math.min(MAX_PAGE, Number(params.get('page[limit]') ?? 20));
  const offset = Number(params.get('page[offset]') ?? 0);
  const some = all.slice(offset, offset + limit);
  const next = new URLSearchParams(params);
  next.set('page[offset]', String(offset + limit));
  const hasMore = offset + limit < all.length;
  return json(200, {
    links: { first: path, ...(hasMore && { next: `https://forum.example${path}?${next.toString()}` }) },
    data: dataOf(some),
    included: [...includedOf(some), tagResource()],
  });
}

const linkTo = (type: string, id: string): object => ({ data: { type, id } });
const userOf = (name: string): Resource => ({ type: 'users', id: name, attributes: { username: name } });
const tagResource = (): Resource => ({ type: 'tags', id: '1', attributes: { name: 'General', slug: TAG } });

function postOf({ index }: Opening, { author, text, createdAt }: Statement, at: number): Resource {
  return {
    type: 'posts',
    id: String((index + 1) * STRIDE + at),
    attributes: {
      number: at + 1,
      contentType: 'comment',
      contentHtml: htmlOf(text),
      createdAt: createdAt.toISOString(),
    },
    relationships: { user: linkTo('users', author) },
  };
}

function discussionOf({ index, title, author, createdAt, replies }: Opening): Resource {
  return {
    type: 'discussions',
    id: String(index + 1),
    attributes: { title, commentCount: replies + 1, createdAt: createdAt.toISOString() },
    relationships: {
      user: linkTo('users', author),
      firstPost: linkTo('posts', String((index + 1) * STRIDE)),
      tags: { data: [{ type: 'tags', id: '1' }] },
    },
  };
}
