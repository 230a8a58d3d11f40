import { DataSource } from 'typeorm';
import type { StoriesDto, StoryPostsDto } from '../../src/content/stories/story.dto.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const HOUR_MS = 3_600_000;
const TITLES = [
  'Mirai botnet attacks Zyxel routers at Vodafone customers',
  'Zyxel routers of Vodafone hacked by Mirai botnet',
  'Kepler telescope photographs Enceladus geysers',
  'Kepler-Teleskop fotografiert Geysire auf Enceladus',
  'What should I cook tonight?',
];

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('stories', () => {
  const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
  const stored = (number: number, title: string, createdUtc: Date) =>
    aPost(number, { title, selftext: '', url: null, createdUtc, forum: number % 2 === 0 ? 'news' : 'tech' });
  const list = (query: Record<string, string> = {}): Promise<StoriesDto> =>
    call(service, workspace, 'GET', `/stories?${new URLSearchParams(query).toString()}`);

  beforeAll(async () => {
    const posts = TITLES.map((title, number) => stored(number, title, ago(number === 0 ? 240 : number)));
    await storePosts(service, workspace.workspaceId, posts);
  });

  it('put posts about the same together and keep their ids', async () => {
    const { stories, left_out, cursor, has_more } = await list();
    expect({ left_out, cursor, has_more }).toEqual({ left_out: 0, cursor: '', has_more: false });
    expect(stories.map(({ posts }) => posts.length)).toEqual([2, 2]);
    const botnet = stories.find(({ keywords }) => keywords.includes('mirai'))!;
    expect(TITLES.slice(0, 2)).toContain(botnet.title);
    expect(botnet).toMatchObject({ size: 2, growth: 1, sources: ['reddit'], forums: ['news', 'tech'] });
    const another = stored(9, 'Mirai botnet: Vodafone replaces Zyxel routers', ago(1));
    await storePosts(service, workspace.workspaceId, [another]);
    const idOf = (found: StoriesDto): string[] =>
      found.stories.filter(({ keywords }) => keywords.includes('mirai')).map(({ id }) => id);
    expect(idOf(await list())).toEqual([botnet.id]);
    expect(idOf(await list({ since: ago(48).toISOString() }))).toEqual([botnet.id]);
    const all = await call<StoryPostsDto>(service, workspace, 'GET', `/stories/${botnet.id}/posts`);
    expect(all.posts.map(({ title }) => title).sort()).toEqual([another.title, ...TITLES.slice(0, 2)].sort());
    expect(all).toMatchObject({ comments: [], cursor: '', has_more: false });
  });

  it('get different ids when a former story has come apart', async () => {
    const before = await list();
    const dataSource = service.app.get(DataSource);
    await dataSource.query('UPDATE story_records SET story_id = $2 WHERE workspace_id = $1', [
      workspace.workspaceId,
      before.stories[1]!.id.slice('story_'.length),
    ]);
    const { stories } = await list();
    const [first, second] = stories.map(({ id }) => id);
    expect(first).toBe(before.stories[1]!.id);
    expect(second).not.toBe(first);
  });

  it('have posts and comments together', async () => {
    const body = 'Which Zyxel routers of Vodafone has the Mirai botnet attacked?';
    const comment = aComment(1, { postId: aPost(4).id, body, createdUtc: ago(2) });
    await storeComments(service, workspace.workspaceId, [comment]);
    const { stories } = await list({ of: 'all', q: 'mirai' });
    expect(stories).toEqual([expect.objectContaining({ size: 4 })]);
    const path = `/stories/${stories[0]!.id}/posts`;
    const all = await call<StoryPostsDto>(service, workspace, 'GET', path);
    expect([all.posts.length, all.comments.map(({ body: text }) => text)]).toEqual([3, [body]]);
  });

  it('are those of the matches of an alert', async () => {
    const alert = await call<{ id: string }>(service, workspace, 'POST', '/alerts', {
      name: 'Space',
      keywords: ['enceladus'],
      channel: 'webhook',
      channel_config: { webhook_url: 'https://hooks.example/a' },
    });
    const { stories } = await list({ alert_id: alert.id });
    expect(stories.map(({ size }) => size)).toEqual([2]);
  });

  it.each([
    ['/stories?alert_id=x', 400],
    ['/stories?since=yesterday', 400],
    ['/stories?of=comments&flair=a', 400],
    ['/stories?cursor=x', 400],
    ['/stories/x/posts', 400],
    ['/stories/0b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab/posts', 404],
  ])('are refused for %s with %i', async (path, status) => {
    await requestAs(service, workspace, 'GET', path).expect(status);
  });
});
