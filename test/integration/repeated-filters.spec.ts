import type { FacetsDto } from '../../src/content/analytics/dto/analytics.dto.js';
import type { PostPageDto } from '../../src/content/posts/dto/post.dto.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const service = await startTestApplication({ ROLES: 'api' });
const workspace = await service.createWorkspace();

describe('filters that may be repeated', () => {
  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [
      aPost(1, { id: 't3_a', forum: 'Chess', author: 'ann', flair: 'news', keywords: ['rook'] }),
      aPost(2, { id: 't3_b', forum: 'music', author: 'bob', keywords: ['rook', 'song'] }),
      aPost(3, { id: 'hn_1', forum: 'hn:ask', author: 'bob', keywords: [], language: 'de' }),
      aPost(4, { id: 'lm_x.example_1', forum: 'art', author: 'ann', keywords: ['song'] }),
    ]);
    await storeComments(service, workspace.workspaceId, [
      aComment(1, { id: 1, commentId: 't1_a', forum: 'chess' }),
      aComment(2, { id: 2, commentId: 'hn_2', forum: 'hn:ask' }),
    ]);
  });

  const idsOf = async (query: string): Promise<string[]> => {
    const { posts, total } = await call<PostPageDto>(service, workspace, 'GET', `/posts?${query}`);
    expect(posts).toHaveLength(total);
    return posts.map(({ id }) => id).sort();
  };
  const facetsOf = (query: string) =>
    call<FacetsDto>(service, workspace, 'GET', `/analytics/facets?${query}`);

  it.each([
    ['forum=chess&forum=r/Music', ['t3_a', 't3_b']],
    ['forum=!r/chess', ['hn_1', 'lm_x.example_1', 't3_b']],
    ['author=bob&author=!ann&forum=!music', ['hn_1']],
    ['keyword=rook&keyword=song', ['lm_x.example_1', 't3_a', 't3_b']],
    ['keyword=!song', ['hn_1', 't3_a']],
    ['flair=!', ['t3_a']],
    ['source=hackernews&source=lemmy', ['hn_1', 'lm_x.example_1']],
    ['source=!reddit', ['hn_1', 'lm_x.example_1']],
    ['q=source:Reddit', ['t3_a', 't3_b']],
    ['language=!de&post_type=self', ['lm_x.example_1', 't3_b']],
    ['sentiment=positive&sentiment=!positive', []],
  ])('find posts by %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  it('find comments by source', async () => {
    const { comments } = await call<{ comments: { comment_id: string }[] }>(
      service,
      workspace,
      'GET',
      '/comments?source=!reddit',
    );
    expect(comments.map(({ comment_id }) => comment_id)).toEqual(['hn_2']);
  });

  it('are counted beside their own choice with multi=true', async () => {
    const query = 'by=forum,author,source&forum=chess&forum=art&author=ann';
    expect((await facetsOf(query)).facets.forum).toHaveLength(2);
    expect(await facetsOf(`${query}&multi=true`)).toEqual({
      total: 2,
      facets: {
        forum: [
          { value: 'Chess', count: 1 },
          { value: 'art', count: 1 },
        ],
        author: [{ value: 'ann', count: 2 }],
        source: [
          { value: 'lemmy', count: 1 },
          { value: 'reddit', count: 1 },
        ],
      },
    });
    expect(await facetsOf('by=forum&forum=chess&multi=true')).toMatchObject({
      total: 1,
      facets: { forum: [{ value: 'Chess' }, { value: 'art' }, { value: 'hn:ask' }, { value: 'music' }] },
    });
  });

  it('split a series by source', async () => {
    const { buckets } = await call<{ buckets: { split: object }[] }>(
      service,
      workspace,
      'GET',
      '/analytics/timeseries?interval=month&split_by=source',
    );
    expect(buckets[0]!.split).toEqual({ hackernews: 1, lemmy: 1, reddit: 2 });
  });

  it('narrow downloads, and are kept with exports and saved searches', async () => {
    const path = '/exports/posts?format=ndjson&forum=chess&forum=!music';
    expect((await requestAs(service, workspace, 'GET', path)).text).toMatch(/^\{"id":"t3_a".*\n$/);
    const filters = { forum: ['chess', '!music'], source: 'reddit' };
    const exported = await call(service, workspace, 'POST', '/exports', {
      of: 'posts',
      format: 'csv',
      filters,
    });
    expect(exported).toMatchObject({ filters });
    const saved = await call(service, workspace, 'POST', '/searches', { name: 'a', filters });
    expect(saved).toMatchObject({ filters });
  });

  it.each([
    ['/posts?limit=1&limit=2', 'limit'],
    ['/jobs?source=reddit&source=lemmy', 'source'],
    ['/posts?sentiment=positive&sentiment=!glad', 'sentiment'],
    ['/posts?language=de&language=Deutsch', 'language'],
    [`/posts?${'forum=a&'.repeat(101)}`, 'forum'],
    [`/posts?forum=!${'a'.repeat(256)}`, 'forum'],
  ])('are refused in %s', async (path, field) => {
    const answer = await requestAs(service, workspace, 'GET', path);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ field }] });
  });

  it('are refused as other JSON values than texts', async () => {
    for (const forum of [[], [1], 1, [['a']], {}]) {
      const body = { of: 'posts', format: 'csv', filters: { forum } };
      const answer = await requestAs(service, workspace, 'POST', '/exports').send(body);
      expect(answer.body).toMatchObject({ status: 400, errors: [{ field: 'filters.forum' }] });
    }
  });
});
