import fc from 'fast-check';
import { aPost, storePosts } from '../../factories/posts.js';
import { POST_SORTS } from '../../../src/content/posts/post-filter.js';
import { SORT_ORDERS } from '../../../src/search/searched-table.js';
import { startWithClient } from '../../support/contract.js';

const POSTS = 5_000;
const PAGE = 200;
/** One in this many posts changes while others read. */
const CHANGING = 10;

interface Page {
  posts: { id: string }[];
  total: number;
  cursor: string;
  has_more: boolean;
}

const { service, workspace, client } = await startWithClient();

describe('paging through posts', () => {
  let written = POSTS;

  beforeAll(async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: POSTS }, (_, number) => aPost(number)),
    );
  });

  const list = (query: Record<string, string | number>) =>
    client.get<Page>(workspace.path('/posts'), { query });

  /** Writes between any two pages: new posts everywhere in the order, and new values for the posts that change. */
  async function write(step: number): Promise<void> {
    const added = Array.from({ length: 5 }, () => aPost(written++, { score: step % 101 }));
    const changed = Array.from({ length: 20 }, (_, n) => {
      const number = ((step * 20 + n) * CHANGING) % POSTS;
      const value = (step * 31 + n * 7) % 100;
      return aPost(number, {
        score: value,
        numComments: value,
        upvoteRatio: value / 100,
        sentimentScore: value / 50 - 1,
        title: value % 2 ? 'batteries batteries' : 'batteries',
        scrapedAt: new Date(Date.UTC(2026, 0, 2) + step * 1_000),
      });
    });
    await storePosts(service, workspace.workspaceId, [...added, ...changed]);
  }

  const walks = POST_SORTS.flatMap((sort_by) =>
    SORT_ORDERS.map((sort_order) => [sort_by, sort_order] as const),
  );

  it.each(walks)(
    'by %s %s shows every lasting post once while posts are written',
    async (sort_by, sort_order) => {
      const seen = new Map<string, number>();
      let cursor = '';
      for (let step = 0; ; step += 1) {
        const [{ body }] = await Promise.all([
          list({ sort_by, sort_order, limit: PAGE, q: 'batteries', ...(cursor && { cursor }) }),
          write(step),
        ]);
        for (const { id } of body.posts) seen.set(id, (seen.get(id) ?? 0) + 1);
        cursor = body.cursor;
        if (!body.has_more) break;
      }
      const expected = Array.from({ length: POSTS }, (_, number) => number)
        // The writer moves some posts in every order except by creation time.
        .filter((number) => sort_by === 'created_utc' || number % CHANGING !== 0)
        .map((number) => aPost(number).id);
      expect(expected.filter((id) => seen.get(id) !== 1)).toEqual([]);
    },
  );

  it('ends with an empty page that returns the cursor it was sent', async () => {
    const newest = await list({ limit: 1, sort_order: 'asc', min_score: 100 });
    let page = newest.body;
    while (page.has_more)
      page = (await list({ limit: 200, sort_order: 'asc', min_score: 100, cursor: page.cursor })).body;
    const after = await list({ limit: 200, sort_order: 'asc', min_score: 100, cursor: page.cursor });
    expect(after.body).toMatchObject({ posts: [], cursor: page.cursor, has_more: false });
    const empty = await list({ forum: 'nobody_is_here' });
    expect(empty.body).toEqual({ posts: [], total: 0, cursor: '', has_more: false });
  });

  it.each([
    ['other filters', { q: 'charging' }],
    ['another order', { sort_order: 'asc' }],
    ['another sort', { sort_by: 'score' }],
  ])('refuses a cursor with %s', async (_, change: Record<string, string>) => {
    const { body } = await list({ limit: 5 });
    expect((await list({ limit: 5, cursor: body.cursor })).status).toBe(200);
    const refused = await client.get<{ code: string }>(workspace.path('/posts'), {
      query: { limit: 5, cursor: body.cursor, ...change },
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor']);
  });

  it('accepts a cursor with another page size', async () => {
    const { body } = await list({ limit: 5 });
    expect((await list({ limit: 7, cursor: body.cursor })).body.posts).toHaveLength(7);
  });

  it('refuses a cursor that was tampered with in any way', async () => {
    const { cursor } = (await list({ limit: 5 })).body;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cursor.length - 1),
        fc.constantFrom(...'ABCxyz019-_'),
        fc.constantFrom('replace', 'insert', 'cut'),
        async (at, letter, how) => {
          const tampered =
            cursor.slice(0, at) +
            (how === 'cut' ? '' : letter) +
            cursor.slice(how === 'insert' ? at : at + 1);
          fc.pre(tampered !== cursor && tampered !== '');
          const { status, body } = await client.get<{ code: string }>(workspace.path('/posts'), {
            query: { cursor: tampered },
          });
          expect([status, body.code]).toEqual([400, 'invalid_cursor']);
        },
      ),
      { seed: 7, numRuns: 100 },
    );
  });
});
