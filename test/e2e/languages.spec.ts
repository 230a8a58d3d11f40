import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startWithClient } from '../support/contract.js';

const GERMAN = 'Das ist nicht gut und auch nicht schön, ich mag es nicht';
const JAPANESE = 'これは最高の映画です、また見たいと思います';

interface Facets {
  total: number;
  facets: { language: { value: string; count: number }[] };
}

const { service, workspace, client } = await startWithClient();

describe('the language of posts and comments', () => {
  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [
      ...[0, 1, 2].map((n) => aPost(n, { title: 'The battery of this phone is good', selftext: '' })),
      ...[3, 4].map((n) => aPost(n, { title: 'Akku', selftext: GERMAN })),
      aPost(5, { title: 'ok', selftext: '' }),
      aPost(6, { title: 'ok', selftext: '', language: 'pt' }),
    ]);
    await storeComments(service, workspace.workspaceId, [
      aComment(1, { body: GERMAN }),
      aComment(2, { body: JAPANESE }),
    ]);
  });

  const totalOf = async (path: string): Promise<number> =>
    (await client.get<{ total: number }>(workspace.path(path))).body.total;

  it.each([
    ['/posts?language=en', 3],
    ['/posts?language=de', 2],
    ['/posts?language=pt', 1],
    ['/posts?language=und', 1],
    ['/posts?q=lang%3Ade', 2],
    ['/posts?q=-lang%3Aen', 4],
    ['/comments?language=ja', 1],
    ['/comments?q=lang%3Ade', 1],
  ])('filters %s', async (path, total) => {
    expect(await totalOf(path)).toBe(total);
  });

  it('is counted as a facet', async () => {
    const { body } = await client.get<Facets>(workspace.path('/analytics/facets?by=language'));
    expect(body.facets.language).toEqual([
      { value: 'en', count: 3 },
      { value: 'de', count: 2 },
      { value: 'pt', count: 1 },
      { value: 'und', count: 1 },
    ]);
  });

  it('splits a series', async () => {
    const { body } = await client.get<{ buckets: { split: Record<string, number> }[] }>(
      workspace.path('/analytics/timeseries?of=comments&interval=day&split_by=language'),
    );
    expect(body.buckets.map(({ split }) => split)).toEqual([{ de: 1, ja: 1 }]);
  });

  it('is refused unless it is a language', async () => {
    expect((await client.get(workspace.path('/posts?language=German'))).status).toBe(400);
  });
});
