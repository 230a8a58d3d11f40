import { DataSource } from 'typeorm';
import { cursorAfter } from '../../../src/search/list-cursor.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication } from '../../support/application.js';
import { call, requestAs } from '../../support/client.js';
import { GRADED_QUERIES, GRADED_TEXTS, type GradedQuery } from './graded-set.js';

const RANKS = 10;

interface Page {
  posts: { id: string }[];
  cursor: string;
  has_more: boolean;
}

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('the order of relevance', () => {
  beforeAll(async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      GRADED_TEXTS.map(({ id, title, body }, n) =>
        aPost(n, { id, title, selftext: body, createdUtc: new Date(Date.UTC(2026, 0, 1 + n)) }),
      ),
    );
  });

  const found = async ({ q }: GradedQuery, sort: string): Promise<string[]> => {
    const path = `/posts?q=${encodeURIComponent(q)}&sort_by=${sort}&limit=${RANKS}`;
    return (await call<Page>(service, workspace, 'GET', path)).posts.map(({ id }) => id);
  };
  /** Ranked by Postgres's `ts_rank` with its defaults. */
  const ranked = async ({ q }: GradedQuery): Promise<string[]> =>
    (
      await service.app.get(DataSource).query<{ id: string }[]>(
        `SELECT id FROM posts, websearch_to_tsquery('english', $2) AS query WHERE workspace_id = $1 AND search @@ query
         ORDER BY ts_rank(search, query) DESC, id DESC LIMIT $3`,
        [workspace.workspaceId, q, RANKS],
      )
    ).map(({ id }) => id);

  async function meanNdcg(order: (query: GradedQuery) => Promise<string[]>): Promise<number> {
    let sum = 0;
    for (const query of GRADED_QUERIES) {
      const ids = await order(query);
      const ideal = Object.values(query.grades).sort((a, b) => b - a);
      sum += gainOf(ids.map((id) => query.grades[id] ?? 0)) / gainOf(ideal);
    }
    return sum / GRADED_QUERIES.length;
  }

  it('is ten points of nDCG@10 better than ts_rank and than time', async () => {
    const own = await meanNdcg((query) => found(query, 'relevance'));
    expect(own).toBeGreaterThan((await meanNdcg(ranked)) + 0.1);
    expect(own).toBeGreaterThan((await meanNdcg((query) => found(query, 'created_utc'))) + 0.1);
  });

  it('is paged without loss or repeat while added posts change the weights', async () => {
    const walked: string[] = [];
    const path = '/posts?q=battery+OR+tomato+OR+cat&sort_by=relevance&limit=3&cursor=';
    const expected = (
      await call<Page>(service, workspace, 'GET', path.replace('limit=3', 'limit=200'))
    ).posts.map(({ id }) => id);
    for (let cursor = '', n = 0; ; n += 1) {
      const page = await call<Page>(service, workspace, 'GET', path + cursor);
      walked.push(...page.posts.map(({ id }) => id));
      if (!page.has_more) break;
      cursor = page.cursor;
      await storePosts(
        service,
        workspace.workspaceId,
        [1, 2, 3].map((m) => aPost(1_000 + n * 3 + m, { title: 'More of cats', selftext: '' })),
      );
    }
    const isOld = (id: string): boolean => GRADED_TEXTS.some((text) => text.id === id);
    expect(walked.filter(isOld)).toEqual(expected);
    expect(new Set(walked).size).toBe(walked.length);
  });

  it('ranks by prefixes, by words of titles and without any word', async () => {
    const first = async (q: string) =>
      (await found({ q, grades: {} }, 'relevance')).map((id) => id.slice(0, 3));
    expect((await first('espress*'))[0]).toBe('cof');
    expect((await first('title:marathon'))[0]).toBe('mar');
    expect(await first('-the author:author1')).not.toEqual([]);
  });

  it('refuses a cursor that was forged with the weights of other words', async () => {
    const order = { sort_by: 'relevance', sort_order: 'desc' } as const;
    const scope = {
      list: 'posts',
      workspaceId: workspace.workspaceId,
      filter: { q: 'battery' },
      order,
    } as const;
    const cursor = cursorAfter({ sortValue: '1,40,2,2', id: 'bat1' }, scope);
    const answer = await requestAs(
      service,
      workspace,
      'GET',
      `/posts?q=battery&sort_by=relevance&cursor=${cursor}`,
    );
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'invalid_cursor']);
  });
});

/** Discounted cumulative gain of the first ten grades. */
function gainOf(grades: readonly number[]): number {
  return grades
    .slice(0, RANKS)
    .reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
