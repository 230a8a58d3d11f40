import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const service = await startTestApplication({ ROLES: 'api' });
const workspace = await service.createWorkspace();

describe('view=full of posts and comments', () => {
  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [
      aPost(4, { id: 't3_a', selftext: '[ Removed by Reddit ]' }),
      aPost(12, { id: 'hn_1', author: '[deleted]' }),
      aPost(8, { id: 'lm_x.example_1', selftext: 'Die Batterie wurde gestern [deleted]', language: 'de' }),
    ]);
    await storeComments(service, workspace.workspaceId, [aComment(1, { body: '[deleted]' })]);
  });

  const read = (path: string) => call<Record<string, unknown>>(service, workspace, 'GET', path);
  const EXTRA = ['language', 'source', 'is_deleted', 'sentiment_source'];
  const extraOf = (record: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => EXTRA.includes(name)));

  it('adds language, source and whether the content is gone to lists', async () => {
    const { posts } = (await read('/posts?view=full')) as unknown as { posts: object[] };
    expect(posts.map(extraOf)).toEqual([
      { language: 'en', source: 'hackernews', is_deleted: true, sentiment_source: 'model' },
      { language: 'de', source: 'lemmy', is_deleted: false, sentiment_source: 'model' },
      { language: 'en', source: 'reddit', is_deleted: true, sentiment_source: 'model' },
    ]);
    const { comments } = (await read('/comments?view=full')) as unknown as { comments: object[] };
    expect(comments.map(extraOf)).toEqual([
      { language: 'und', source: 'reddit', is_deleted: true, sentiment_source: 'model' },
    ]);
  });

  it('adds them to single records', async () => {
    const post = { language: 'de', source: 'lemmy', is_deleted: false, sentiment_source: 'model' };
    expect(extraOf(await read('/posts/lm_x.example_1?view=full'))).toEqual(post);
    const comment = { language: 'und', source: 'reddit', is_deleted: true, sentiment_source: 'model' };
    expect(extraOf(await read('/comments/t1_000001?view=full'))).toEqual(comment);
  });

  it('adds the title and the forum of its post to a comment', async () => {
    const { comments } = (await read('/comments?view=full')) as unknown as { comments: { post: unknown }[] };
    expect(comments[0]!.post).toBeNull();
    const onPost = aComment(2, { postId: 't3_a' });
    await storeComments(service, workspace.workspaceId, [onPost]);
    // Another workspace's post of the same id has other words.
    const other = await service.createWorkspace();
    await storePosts(service, other.workspaceId, [aPost(4, { id: 't3_a', title: 'Other' })]);
    const { title, forum } = aPost(4);
    const path = `/comments/${onPost.commentId}`;
    expect((await read(`${path}?view=full`)).post).toEqual({ title, forum });
    expect(await read(path)).not.toHaveProperty('post');
  });

  it('leaves the fields of the interface as they are without it', async () => {
    for (const path of ['/posts/t3_a', '/comments/t1_000001', '/posts/t3_a?view=list'])
      expect(extraOf(await read(path))).toEqual({});
    const { posts } = (await read('/posts')) as unknown as { posts: object[] };
    expect(posts.map(extraOf)).toEqual([{}, {}, {}]);
  });

  it('adds three columns after those of the interface to files', async () => {
    const { text } = await requestAs(service, workspace, 'GET', '/exports/posts?source=lemmy');
    expect(text.split('\r\n').map((line) => line.split(',').slice(-3).join())).toEqual([
      '"language","model_label","sentiment_source"',
      '"de","neutral","model"',
      '',
    ]);
  });
});
