import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatcher } from '../../src/alerts/matching/alert-matcher.js';
import { recordOf, recordOfComment } from '../../src/alerts/matching/alertable-record.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import type { AlertPreviewDto } from '../../src/alerts/service/alert-match.dto.js';
import type { NewComment } from '../../src/content/comments/comments.repository.js';
import { VALUE_FIELDS } from '../../src/search/query/query-tree.js';
import type { SearchFilter } from '../../src/search/search-request.js';
import { BlockCache } from '../../src/search/segments/read/block-cache.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { SegmentIndex } from '../../src/search/segments/read/segment-index.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, type NewPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { connect } from '../support/database.js';
import { SegmentComparison } from '../support/segment-comparison.js';

interface Facets {
  facets: { author: { value: string; count: number }[] };
}

const TABLES = { posts: POST_SEARCH, comments: COMMENT_SEARCH };
/** The posts of an author with a name in two spellings, and one without an author. */
const AUTHORS = ['Fishy', 'fishy', 'fishy', '[deleted]'];

const service = await startTestApplication({ ROLES: 'api' });

/** Each source has its rule for the case of names; filters, queries, facets, segments and alerts follow the same. */
describe.each(SOURCES.all)('authors of $source', ({ ids, isCaseSensitive }) => {
  let workspace: TestWorkspace;
  let posts: NewPost[];
  let comments: NewComment[];
  const isSensitive = isCaseSensitive('user');

  beforeAll(async () => {
    workspace = await service.createWorkspace();
    posts = AUTHORS.map((author, index) =>
      aPost(index, { id: `${ids.post}site_${index}`, author, flair: 'Daily Chat', language: 'en' }),
    );
    await storePosts(service, workspace.workspaceId, posts);
    comments = AUTHORS.map((author, index) =>
      aComment(index, { commentId: `${ids.comment}site_${index}`, author }),
    );
    await storeComments(service, workspace.workspaceId, comments);
    // Another source, whose names ignore case, holds the same names.
    await storePosts(service, workspace.workspaceId, [aPost(9, { id: 't3_other', author: 'someone' })]);
  });

  const totalOf = async (kind: string, query: string): Promise<number> =>
    (await call<{ total: number }>(service, workspace, 'GET', `/${kind}?${query}`)).total;

  it.each(['posts', 'comments'] as const)('of %s are found in the case that counts', async (kind) => {
    const queries = ['author=Fishy', 'author=fishy', 'author=FISHY', 'q=author:Fishy', 'q=author:Fi*'];
    const found = await Promise.all(queries.map((query) => totalOf(kind, query)));
    expect(found).toEqual(isSensitive ? [1, 2, 0, 1, 1] : [3, 3, 3, 3, 3]);
    expect(await totalOf(kind, 'author=[DELETED]')).toBe(1);
  });

  it.each(['posts', 'comments'] as const)('of %s are counted so', async (kind) => {
    const { facets } = await call<Facets>(
      service,
      workspace,
      'GET',
      `/analytics/facets?of=${kind}&by=author`,
    );
    expect(facets.author.filter(({ value }) => /fishy/i.test(value))).toEqual(
      isSensitive
        ? [
            { value: 'fishy', count: 2 },
            { value: 'Fishy', count: 1 },
          ]
        : [{ value: 'Fishy', count: 3 }],
    );
  });

  it.each(['posts', 'comments'] as const)('of %s are the same in segments', async (kind) => {
    const { workspaceId } = workspace;
    const transactions = new TransactionRunner(service.app.get(DataSource));
    await new SegmentBuilder(Object.values(TABLES), transactions, 1).build({ workspaceId, kind });
    const client = await connect((service.app.get(DataSource).options as { url: string }).url);
    try {
      const comparison = new SegmentComparison(client, workspaceId);
      const index = new SegmentIndex(TABLES[kind], new BlockCache(), { leastRows: 0, mostChanged: 1_000 });
      for (const author of ['Fishy', 'fishy', 'FISHY', '[deleted]'])
        expect(
          await comparison.compare(TABLES[kind], index, { author } as SearchFilter, 'facets'),
        ).not.toBeNull();
      const values = { ...recordOf(posts[0]!).values, author: [] };
      const others = Object.entries(values).flatMap(([field, value]) =>
        [value ?? []].flat().map((one) => `${field}:"${one.toUpperCase()}"`),
      );
      for (const q of ['author:Fishy', 'author:fi*', 'author:FI*', '-author:Fishy', ...others])
        expect(await comparison.compare(TABLES[kind], index, { q }, 'facets')).not.toBeNull();
    } finally {
      await client.end();
    }
  });

  it.each(['posts', 'comments'] as const)(
    'and all other values of %s are found in any case',
    async (kind) => {
      const record = kind === 'posts' ? recordOf(posts[0]!) : recordOfComment(comments[0]!);
      for (const field of VALUE_FIELDS.filter((name) => name !== 'author')) {
        const [value] = [record.values[field] ?? []].flat();
        if (value === undefined) continue;
        const counts = await Promise.all(
          [value, value.toUpperCase(), value.toLowerCase()].flatMap((spelled) => {
            const query = `${field}:"${spelled}"`;
            return [
              totalOf(kind, new URLSearchParams({ q: query }).toString()),
              call<AlertPreviewDto>(service, workspace, 'POST', '/alerts/preview', { query, of: kind }).then(
                (found) => (kind === 'posts' ? found.total : found.comments_total),
              ),
            ];
          }),
        );
        expect([field, ...new Set(counts)]).toEqual([field, counts[0]]);
        expect(counts[0]).toBeGreaterThan(0);
      }
    },
  );

  it('match alerts so', async () => {
    const matcher = await AlertMatcher.compile([
      { id: 'a', keywords: [], query: 'author:Fishy', forums: [] },
    ]);
    const matched = posts.filter((post) => matcher.match(recordOf(post)).length > 0);
    expect(matched.map(({ author }) => author)).toEqual(
      isSensitive ? ['Fishy'] : ['Fishy', 'fishy', 'fishy'],
    );
  });
});
