import { DataSource } from 'typeorm';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import type { RecallDto } from '../../src/content/analytics/dto/recall.dto.js';
import { hashText } from '../../src/common/hash.js';
import { aComment } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';

const TALK =
  'coffee morning music weekend friend movie dinner garden bicycle train summer lesson puppy recipe window novel guitar football market paint beach jacket holiday cousin'.split(
    ' ',
  );
const TOPIC = 'reactor leak valve coolant pump alarm engineers shutdown'.split(' ');
const ABOUT = 160;
const OTHERS = 1_200;

/** Words in an order that is the same in every run. */
function someOf(words: readonly string[], count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, at) => words[hashText(`${seed} ${at}`) % words.length]!);
}

/** The text of a row about the topic; every second one has the name `zorbex`. */
const aboutTopic = (number: number): string =>
  [number % 2 === 0 ? 'zorbex' : '', ...someOf(TOPIC, 4, number), ...someOf(TALK, 2, number)].join(' ');
const aboutOthers = (number: number): string => someOf(TALK, 7, number).join(' ');

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('what a query misses', () => {
  beforeAll(async () => {
    const texts = Array.from({ length: ABOUT + OTHERS }, (_, number) =>
      number < ABOUT ? aboutTopic(number) : aboutOthers(number),
    );
    const posts = texts.map((text, number) =>
      aPost(number, { title: text, selftext: '', forum: number % 4 < 2 ? 'news' : 'talk' }),
    );
    await storePosts(service, workspace.workspaceId, posts);
    const comments = texts.map((body, number) => aComment(number, { body, postId: posts[number]!.id }));
    const { manager } = service.app.get(DataSource);
    await service.get(CommentsRepository).upsert(workspace.workspaceId, comments, manager);
  });

  const recall = (query: Record<string, string>): Promise<RecallDto> =>
    call(service, workspace, 'GET', `/search/recall?${new URLSearchParams(query).toString()}`);
  const idsOf = async (q: string): Promise<string[]> => {
    const path = `/posts?limit=200&q=${encodeURIComponent(q)}`;
    const { posts } = await call<{ posts: { id: string }[] }>(service, workspace, 'GET', path);
    return posts.map(({ id }) => id);
  };

  it.each(['posts', 'comments'])('is estimated for %s, the other half of a topic', async (of) => {
    const { found, missed } = await recall({ of, q: 'zorbex' });
    expect(found).toBe(ABOUT / 2);
    expect(missed!.low).toBeLessThanOrEqual(ABOUT / 2);
    expect(missed!.high).toBeGreaterThanOrEqual(ABOUT / 2);
    expect(missed!.estimate).toBeGreaterThan(ABOUT / 4);
    expect(missed!.estimate).toBeLessThan(ABOUT);
  });

  it('comes with words that find it, and rows that these add', async () => {
    const { suggestions } = await recall({ q: 'zorbex' });
    const [first] = suggestions;
    expect(TOPIC).toContain(first!.add);
    expect(first!.query).toBe(`zorbex OR ${first!.add}`);
    const before = await idsOf('zorbex');
    const added = (await idsOf(first!.query)).filter((id) => !before.includes(id));
    expect(first!.gain).toBeGreaterThan(added.length / 2);
    expect(first!.gain).toBeLessThanOrEqual(added.length);
    expect(first!.examples).toHaveLength(3);
    expect(added).toEqual(expect.arrayContaining(first!.examples));
  });

  it('is nothing when all of a topic is found', async () => {
    const { found, missed } = await recall({ q: TOPIC.join(' OR ') });
    expect([found, missed!.estimate, missed!.low]).toEqual([ABOUT, 0, 0]);
  });

  it('is null when there is too little to tell', async () => {
    const queries: Record<string, string>[] = [
      {},
      { q: 'gone' },
      { q: 'zorbex', author: 'unknown' },
      { q: '-gone' },
    ];
    for (const query of queries) expect(await recall(query)).toMatchObject({ missed: null, suggestions: [] });
  });

  it('is that of the keywords and forums of an alert', async () => {
    const body = { name: 'Zorbex', keywords: ['zorbex'], forums: ['news'], channel: 'chat_a' };
    const alert = { ...body, channel_config: { webhook_url: 'https://8.8.8.8/' } };
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/alerts', alert);
    const own = await call<RecallDto>(service, workspace, 'GET', `/alerts/${id}/recall`);
    expect(own.found).toBe(ABOUT / 4);
    expect(own).toEqual(await recall({ q: 'zorbex', forum: 'news' }));
    expect(own.missed!.high).toBeLessThan((ABOUT + OTHERS) / 2);
  });

  it('is that of posts and comments together for an alert on both', async () => {
    const body = { name: 'Both', query: 'zorbex', of: 'all', channel: 'chat_a' };
    const alert = { ...body, channel_config: { webhook_url: 'https://8.8.8.8/' } };
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/alerts', alert);
    const { found, missed } = await call<RecallDto>(service, workspace, 'GET', `/alerts/${id}/recall`);
    expect(found).toBe(ABOUT);
    expect(missed!.estimate).toBeGreaterThan(ABOUT / 2);
    expect(missed!.estimate).toBeLessThan(2 * ABOUT);
  });

  it('refuses filters that comments do not have', async () => {
    await expect(recall({ of: 'comments', q: 'zorbex', flair: 'a' })).rejects.toThrow('flair');
  });
});
