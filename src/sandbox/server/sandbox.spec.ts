import {
  SandboxClient,
  type CommentThing,
  type Listing,
  type PostThing,
  type WirePost,
} from '../../../test/support/sandbox-client.js';
import type { SandboxOptions } from '../options.js';
import { expectedComments, expectedPosts, idealRequests, idealTreeRequests } from '../expected-data.js';
import { type Sandbox, startSandbox } from './sandbox.js';

const OPTIONS: SandboxOptions = {
  forums: { giant: { posts: 1, commentsPerPost: 3_000 }, small: { posts: 12, commentsPerPost: 3 } },
};

let sandbox: Sandbox;
let client: SandboxClient;

async function start(options: SandboxOptions): Promise<void> {
  sandbox = await startSandbox(options);
  client = await new SandboxClient(sandbox.baseUrl).signIn();
}

afterEach(() => sandbox.close());

describe('listings', () => {
  beforeEach(() => start(OPTIONS));

  it('stop at 1,000 posts, newest first, each once, with exactly the expected data', async () => {
    const posts = await client.walkListing('/r/technology/new');
    expect(posts.map((post) => post.name)).toEqual(expectedPosts(OPTIONS, 'technology', 1_000));
    expect(sandbox.stats().byPath['listing']).toBe(idealRequests(OPTIONS, 'technology', 1_000, false));
  });

  it('omit hidden posts and otherwise match the expected data', async () => {
    expect((await client.posts('/r/programming/new?limit=100')).length).toBeLessThanOrEqual(100);
    const names = (await client.walkListing('/r/programming/new')).map((post) => post.name);
    expect(names).toEqual(expectedPosts(OPTIONS, 'programming', names.length));
    expect(names.length).toBeLessThan(1_000);
  });

  it('have 25 posts a page unless a limit is given, and at most 100', async () => {
    const lengthOf = async (query: string) => (await client.posts(`/r/technology/new${query}`)).length;
    expect(await Promise.all(['', '?limit=0', '?limit=x', '?limit=1', '?limit=101'].map(lengthOf))).toEqual([
      25, 25, 25, 1, 100,
    ]);
  });

  it('add pinned posts at the top of the first page beyond its limit', async () => {
    const page = await client.posts('/r/technology/hot?limit=100');
    expect(page.length).toBe(102);
    expect(page.slice(0, 2).every((post) => post.stickied)).toBe(true);
    const names = (await client.walkListing('/r/technology/hot')).map((post) => post.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('show exactly the posts of a user, over all forums', async () => {
    const [newest] = await client.posts('/r/technology/new?limit=1');
    const name = newest!.author;
    const posts = await client.walkListing(`/user/${name}/submitted?sort=new`);
    expect(posts.map((post) => post.name)).toContain(newest!.name);
    expect(posts.every((post) => post.author === name)).toBe(true);
    expect(new Set(posts.map((post) => post.subreddit)).size).toBeGreaterThan(1);
  });

  it('have every kind of post, with media served by the sandbox itself', async () => {
    const posts = [
      ...(await client.walkListing('/r/technology/new')),
      ...(await client.walkListing('/r/pictures/new')),
    ];
    const video = posts.map((post) => post.media?.reddit_video).find((found) => found?.has_audio)!;
    const gallery = posts.find((post) => post.gallery_data)!;
    const crosspost = posts.find((post) => post.crosspost_parent_list)!;
    const image = posts.find((post) => post.post_hint === 'image')!;
    expect(posts.some((post) => post.is_self && post.selftext.length > 0)).toBe(true);
    expect(posts.some((post) => post.author === '[deleted]')).toBe(true);
    expect(posts.some((post) => post.selftext === '[removed]')).toBe(true);
    expect(posts.some((post) => typeof post.edited === 'number')).toBe(true);
    expect(crosspost.url).toBe(crosspost.crosspost_parent_list![0]!.permalink);
    for (const item of gallery.gallery_data!.items)
      expect(gallery.media_metadata![item.media_id]).toBeDefined();
    const audio = video.fallback_url.replace(/CMAF_720.*/, 'CMAF_AUDIO_128.mp4');
    for (const address of [image.url, video.fallback_url, audio]) {
      expect(address.startsWith(sandbox.baseUrl)).toBe(true);
      const answer = await fetch(address);
      expect(answer.headers.get('content-type')).toMatch(/^(image|video)\//);
      expect((await answer.arrayBuffer()).byteLength).toBe(Number(answer.headers.get('content-length')));
    }
  });

  it('escape texts unless raw JSON is requested', async () => {
    const address = (posts: WirePost[]) =>
      posts.map((post) => post.preview?.images[0]?.source.url).find((found) => found !== undefined)!;
    const raw = address(await client.posts('/r/pictures/new?limit=100&raw_json=1'));
    const escaped = address(await client.posts('/r/pictures/new?limit=100'));
    expect(raw).toContain('&auto=webp');
    expect(escaped).toBe(raw.replaceAll('&', '&amp;'));
  });
});

describe('comment trees', () => {
  beforeEach(() => start(OPTIONS));

  it('of many posts are walked in about the ideal number of requests', async () => {
    let made = 0;
    let ideal = 0;
    for (const name of expectedPosts(OPTIONS, 'askanything', 60)) {
      const { names, requests } = await client.walkTree(name.slice(3));
      expect([...names].sort()).toEqual(expectedComments(OPTIONS, name).sort());
      made += requests;
      ideal += idealTreeRequests(OPTIONS, name);
      expect(requests).toBeGreaterThanOrEqual(idealTreeRequests(OPTIONS, name));
    }
    expect(made).toBeLessThanOrEqual(1.05 * ideal);
  });

  it('of one huge thread contain continued threads and stubs, and lose nothing', async () => {
    const [name] = expectedPosts(OPTIONS, 'giant', 1);
    const { names } = await client.walkTree(name!.slice(3));
    expect([...names].sort()).toEqual(expectedComments(OPTIONS, name!).sort());
    expect(sandbox.stats().byPath['continue']).toBeGreaterThan(0);
    expect(names.size).toBeLessThan(3_000);
  });

  it('contain comments that were deleted and removed', async () => {
    const [post] = expectedPosts(OPTIONS, 'giant', 1);
    const names = expectedComments(OPTIONS, post!);
    const bodies = new Set<string>();
    for (let at = 0; at < names.length; at += 100) {
      const page = names.slice(at, at + 100).join(',');
      const { data } = await client.json<Listing<CommentThing>>(`/api/info?id=${page}`);
      for (const { data: comment } of data.children) if ('body' in comment) bodies.add(comment.body);
    }
    expect(['[deleted]', '[removed]'].filter((body) => !bodies.has(body))).toEqual([]);
  });

  it('refuse more than 100 ids at once and leave out comments of another post', async () => {
    const [first, second] = expectedPosts(OPTIONS, 'small', 2);
    const children = Array.from({ length: 101 }, () => 'abc').join(',');
    expect((await client.ask(`/api/morechildren?link_id=${first}&children=${children}`)).status).toBe(400);
    const foreign = expectedComments(OPTIONS, second!).map((comment) => comment.slice(3));
    expect(await client.moreChildren(first!, foreign)).toEqual([]);
  });

  it('can be looked up by id, without ids that do not exist', async () => {
    const [post] = expectedPosts(OPTIONS, 'small', 1);
    const [comment] = expectedComments(OPTIONS, post!);
    const { data } = await client.json<Listing<PostThing | CommentThing>>(
      `/api/info?id=${post},t3_zzzzzz,${comment}`,
    );
    expect(data.children).toMatchObject([
      { kind: 't3', data: { name: post } },
      { kind: 't1', data: { name: comment, replies: '' } },
    ]);
  });
});

describe('archive', () => {
  const rows = async (path: string) => (await client.json<{ data: WirePost[] }>(`/archive/api/${path}`)).data;

  beforeEach(() => start({ ...OPTIONS, archiveSlowAboveLimit: 50 }));

  it('goes back past the listing cap in windows of time', async () => {
    const names: string[] = [];
    for (let before = ''; names.length < 1_200;) {
      const page = await rows(`posts/search?subreddit=technology&limit=50&sort=desc${before}`);
      names.push(...page.map((row) => row.name));
      before = `&before=${page.at(-1)!.created_utc}`;
    }
    expect(names).toEqual(expectedPosts(OPTIONS, 'technology', 1_200));
  });

  it('answers large pages with "slow down", and serves comments and authors too', async () => {
    const refused = await client.ask('/archive/api/posts/search?subreddit=technology&limit=100');
    expect(refused.status).toBe(422);
    expect(await refused.json()).toEqual({ data: null, error: 'Timeout. Maybe slow down a bit' });
    const [post] = expectedPosts(OPTIONS, 'small', 1);
    const comments = await rows(`comments/search?link_id=${post}&limit=50&sort=asc`);
    expect(comments.map((row) => row.name)).toEqual(expectedComments(OPTIONS, post!));
    const [{ author }] = (await rows('posts/search?subreddit=technology&limit=1')) as [WirePost];
    const own = await rows(`posts/search?author=${author}&limit=50`);
    expect(own.length).toBe(50);
    expect(own.every((row) => row.author === author)).toBe(true);
  });
});
