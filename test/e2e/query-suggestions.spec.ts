import type { QuerySuggestionsDto } from '../../src/content/analytics/dto/query-suggestions.dto.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';

const WORD = [
  'I like the notion of a garden.',
  'She had no notion that it rained.',
  'The notion of time is odd.',
];
const NAME = [
  'Today we moved our notes from Obsidian to Notion for work.',
  'It works with Slack, Notion, and mail.',
];
const TALK = ['Nothing to see here.', 'The garden is green.'];

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('suggested queries', () => {
  beforeAll(async () => {
    const texts = [...Array.from({ length: 8 }, () => WORD).flat(), ...NAME, ...TALK];
    const posts = texts.map((title, number) =>
      aPost(number, {
        title,
        selftext: '',
        forum: NAME.includes(title) ? 'hn:story' : 'gardening',
        createdUtc: new Date(Date.now() - (title === NAME[0] ? 40 : 2) * 86_400_000),
      }),
    );
    await storePosts(service, workspace.workspaceId, posts);
  });

  const suggest = (about: string): Promise<QuerySuggestionsDto> =>
    call(service, workspace, 'POST', '/queries/suggest', { about });
  const found = async (q: string): Promise<string[]> => {
    const path = `/posts?limit=100&q=${encodeURIComponent(q)}`;
    const { posts } = await call<{ posts: { title: string }[] }>(service, workspace, 'GET', path);
    return posts.map(({ title }) => title);
  };

  it('find a name that is also an ordinary word, by what comes with it', async () => {
    const { queries, places } = await suggest('Notion');
    expect(await found(queries[0]!.q)).toEqual(expect.arrayContaining(NAME));
    expect(await found(queries[0]!.q)).toHaveLength(NAME.length);
    expect(queries.map(({ matches }) => matches)).toEqual([1, 25]);
    expect(queries.map(({ listen }) => listen.includes('hackernews'))).toEqual([true, false]);
    expect(places).toEqual([
      { target: 'hn:search/Notion', why: '2 stored posts and comments of hn:story match the first query.' },
    ]);
  });

  it.each([
    ['GitHub', '=GitHub OR "Git Hub"'],
    ['Node.js', '=Node.js OR =Nodejs'],
    ['what people say about Visual Studio Code', '"Visual Studio Code" OR =VisualStudioCode'],
    ['https://www.zorbex.example/pricing', '=zorbex OR =zorbex.example'],
    ['rain in the garden', '"rain garden"~10'],
    ['"solid state" batteries', '"solid state" OR =solidstate'],
  ])('take %s for its names or its rarest words', async (about, q) => {
    expect((await suggest(about)).queries[0]!.q).toBe(q);
  });

  it('are refused for a text without a word', async () => {
    await expect(suggest('?!')).rejects.toThrow('{"field":"about","message":"about must have a word"}');
  });
});
