import { aPost, storePosts } from '../../factories/posts.js';
import { startWithClient } from '../../support/contract.js';

const POSTS = 40;
/** Texts as strangers may write them to a forum that a workspace reads. */
const TEXT = `zq ${'a b '.repeat(9_900)}`;

const { service, workspace, client } = await startWithClient();

describe('a search with marks in long texts that repeat words', () => {
  beforeAll(async () => {
    const posts = Array.from({ length: POSTS }, (_, n) => aPost(n, { selftext: TEXT }));
    await storePosts(service, workspace.workspaceId, posts);
  });

  it.each([
    ['two words near each other', 'zq "a b"~100'],
    ['a hundred words near each other', `zq "${'a b '.repeat(50)}"~100`],
    ['a phrase of two thousand words', `zq "${'a b '.repeat(990)}"`],
    ['two thousand words', `zq ${'a b '.repeat(990)}`],
  ])('is answered for %s, and so is the probe meanwhile', async (_, q) => {
    let isAnswered = false;
    const page = client
      .get<{ posts: { highlights: { selftext: string } }[] }>(workspace.path('/posts'), {
        query: { q, highlight: 'true', limit: POSTS },
      })
      .finally(() => (isAnswered = true));
    let probes = 0;
    for (; !isAnswered; probes += 1) expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    const { posts } = (await page).body;
    expect(posts).toHaveLength(POSTS);
    expect(posts[0]!.highlights.selftext).toMatch(/^<mark>zq<\/mark> <mark>a<\/mark> <mark>b<\/mark> /);
    expect(probes).toBeGreaterThan(10);
  });
});
