import { AcceleratedTime } from '../../../test/support/accelerated-time.js';
import { HackerNewsPlatform } from '../../platforms/hackernews/hackernews-platform.js';
import { InProcessRequestBudget } from '../../platforms/http/in-process-request-budget.js';
import type { PlatformPost, PlatformSession } from '../../platforms/platform.js';
import { DataSet } from '../data/data-set.js';
import type { FaultOptions } from '../options.js';
import { startSandbox } from '../server/sandbox.js';
import { HackerNewsItems, type ThreadNode } from './synthetic-items.js';

const OPTIONS = { forums: { technology: { posts: 2_600 } } };
const FAULTS: FaultOptions = { rate: 0.3, kinds: ['429', '500', '503', 'truncate', 'reset', 'html'] };

const idsBelow = (node: ThreadNode): string[] =>
  node.children.flatMap((child) => [
    ...(child.author === null ? [] : [`hn_${child.id}`]),
    ...idsBelow(child),
  ]);

describe('the synthetic Hacker News', () => {
  const items = new HackerNewsItems(new DataSet(OPTIONS));

  it.each([
    ['without faults', null],
    ['with 30 % of the requests failing', FAULTS],
  ])('is read completely, past 1,000 posts, %s', async (_, faults) => {
    const sandbox = await startSandbox({ ...OPTIONS, faults: faults ?? undefined });
    const time = new AcceleratedTime();
    const platform = new HackerNewsPlatform(
      {
        baseUrl: `${sandbox.baseUrl}/hackernews/api/v1`,
        userAgent: 'sandbox-test/1.0',
        budget: new InProcessRequestBudget(1_000_000, time.now, time.sleep),
        dependencies: time.dependencies,
      },
      1_000,
    );
    let requests = 0;
    const session: PlatformSession = {
      signal: AbortSignal.timeout(60_000),
      workspaceId: 'w',
      priority: 'normal',
      onRequest: () => (requests += 1),
    };
    const posts = new Map<string, PlatformPost>();
    const listing = { target: { type: 'forum', name: 'new' }, name: 'date', wanted: 10_000 } as const;
    for (let after: string | null | undefined; after !== null;) {
      const page = await platform.fetchListing(listing, after ?? null, session);
      for (const post of page.posts) posts.set(post.id, post);
      after = page.after;
    }
    const stories = [...items.newest()].filter(({ tags }) => tags.includes('story'));
    expect([...posts.keys()].sort()).toEqual(stories.map(({ id }) => `hn_${id}`).sort());
    if (faults === null) expect(requests).toBe(Math.ceil(stories.length / 1_000));
    for (const story of stories.filter(({ comments }) => comments > 0).slice(0, 20)) {
      const ids: string[] = [];
      for await (const { comments } of platform.walkComments(posts.get(`hn_${story.id}`)!, session))
        ids.push(...comments.map(({ id }) => id));
      expect(ids.sort()).toEqual(idsBelow(items.thread(story)).sort());
    }
    for await (const { texts, position } of platform.stream.read('0', session.signal)) {
      if (position === null) continue;
      const heard = texts.filter(({ isComment }) => isComment).map(({ id }) => id);
      const { comments } = await platform.fetchComments(heard.slice(0, 20), session);
      expect(comments.map(({ id }) => id)).toEqual(heard.slice(0, 20));
      expect(comments).not.toHaveLength(0);
      break;
    }
    await platform.close();
    await sandbox.close();
  });

  it('has posts of every kind', () => {
    const tags = new Set([...items.newest()].flatMap((story) => story.tags.slice(0, 3)));
    for (const tag of ['story', 'ask_hn', 'show_hn', 'job', 'poll', 'front_page'])
      expect(tags).toContain(tag);
  });
});
