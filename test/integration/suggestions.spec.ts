import type { KeywordCountsDto } from '../../src/content/analytics/dto/analytics.dto.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';

const service = await startTestApplication({ ROLES: 'api' });
const workspace = await service.createWorkspace();

describe('suggestions and significant keywords', () => {
  beforeAll(async () => {
    const posts = Array.from({ length: 30 }, (_, number) =>
      aPost(number + 1, {
        title: 'A battery for the charger',
        forum: number < 5 ? 'cells' : 'other',
        keywords: ['battery', ...(number < 4 ? ['anode'] : []), ...(number > 20 ? ['cable'] : [])],
      }),
    );
    await storePosts(service, workspace.workspaceId, posts);
    await storeComments(service, workspace.workspaceId, [aComment(1, { body: 'A lithium cell' })]);
  });

  const suggestionsOf = async (path: string) =>
    (await call<{ suggestions?: string[] }>(service, workspace, 'GET', path)).suggestions;

  it.each([
    ['/posts?suggest=true&q=batery+chargr', ['battery charger']],
    ['/comments?suggest=true&q=litium', ['lithium']],
    ['/posts?suggest=true&q=batery&forum=nowhere', []],
    ['/posts?suggest=true&q=battery', undefined],
    ['/posts?q=batery', undefined],
    ['/posts?suggest=true&forum=nowhere', []],
  ])('are given by %s', async (path, suggestions) => {
    expect(await suggestionsOf(path)).toEqual(suggestions);
  });

  it('rank keywords by what distinguishes the matching posts', async () => {
    const keywordsOf = async (query: string) =>
      (await call<KeywordCountsDto>(service, workspace, 'GET', `/analytics/keywords?${query}`)).keywords.map(
        ({ keyword, count }) => [keyword, count],
      );
    expect(await keywordsOf('forum=cells')).toEqual([
      ['battery', 5],
      ['anode', 4],
    ]);
    expect(await keywordsOf('forum=cells&rank=significance')).toEqual([
      ['anode', 4],
      ['battery', 5],
    ]);
    expect(await keywordsOf('rank=significance&limit=1')).toEqual([['battery', 30]]);
  });
});
