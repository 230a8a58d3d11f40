import { AcceleratedTime } from '../../../../test/support/accelerated-time.js';
import type { FaultOptions } from '../../../sandbox/options.js';
import { expectedPosts } from '../../../sandbox/expected-data.js';
import { startSandbox } from '../../../sandbox/server/sandbox.js';
import type { PlatformComment, PlatformSession } from '../../platform.js';
import { ArchivePlatform } from './archive-platform.js';
import { ArcticShiftArchive } from './arctic-shift-archive.js';

const OPTIONS = { forums: { technology: { posts: 320, commentsPerPost: 230 } } };
const FAULTS: FaultOptions = { rate: 0.3, kinds: ['429', '500', '503', 'truncate', 'reset'] };
const session: PlatformSession = {
  signal: AbortSignal.timeout(60_000),
  workspaceId: 'w',
  priority: 'normal',
  onRequest: () => undefined,
};

describe('Reddit read from its archive only', () => {
  it.each([
    ['without faults', undefined],
    ['with 30 % of the requests failing', FAULTS],
  ])('delivers posts and whole threads, %s', async (_, faults) => {
    const sandbox = await startSandbox({ ...OPTIONS, faults });
    const platform = new ArchivePlatform(
      new ArcticShiftArchive({
        baseUrl: `${sandbox.baseUrl}/archive`,
        userAgent: 'archive-test/1.0',
        dependencies: new AcceleratedTime().dependencies,
      }),
    );
    const posts = [];
    let after: string | null = null;
    do {
      const listing = {
        target: { type: 'forum', name: 'technology' },
        name: 'archive',
        wanted: 1_000,
      } as const;
      const page = await platform.fetchListing(listing, after, session);
      posts.push(...page.posts);
      after = page.after;
    } while (after !== null);
    expect(posts.map(({ id }) => id).sort()).toEqual(expectedPosts(OPTIONS, 'technology', 1_000).sort());

    const comments = new Map<string, PlatformComment>();
    for await (const slice of platform.walkComments(posts[0]!, session))
      for (const comment of slice.comments) {
        expect(comments.has(comment.id)).toBe(false);
        expect(comment.depth).toBe((comments.get(comment.parentId)?.depth ?? -1) + 1);
        comments.set(comment.id, comment);
      }
    expect(comments.size).toBe(230);
    expect(Math.max(...[...comments.values()].map(({ depth }) => depth))).toBeGreaterThan(1);
    await platform.close();
    await sandbox.close();
  });
});
