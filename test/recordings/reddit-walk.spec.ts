import { type PlatformSession } from '../../src/platforms/platform.js';
import { RedditPlatform } from '../../src/platforms/reddit/reddit-platform.js';
import { InProcessRequestBudget } from '../../src/platforms/reddit/request-budget.js';
import { describeRecordings, haveRecordings, idsHash, readJson, Replay, type WalkTarget } from './replay.js';

const targets = haveRecordings ? readJson<WalkTarget[]>('expected-walk.json') : [];
const TREES_AT_ONCE = 8;

interface Walked {
  posts: string[];
  comments: string[];
  requests: number;
  missing: number;
}

function clientOf(replay: Replay): RedditPlatform {
  return new RedditPlatform({
    baseUrl: replay.url,
    authUrl: replay.url,
    clientId: 'client',
    clientSecret: 'secret',
    userAgent: 'recordings-test/1.0',
    budget: new InProcessRequestBudget(1_000_000),
    // Waits are decided as always, but nobody has to sit them out.
    surroundings: { sleep: () => new Promise((done) => setImmediate(done)) },
  });
}

async function walk(platform: RedditPlatform, target: WalkTarget): Promise<Walked> {
  const walked: Walked = { posts: [], comments: [], requests: 0, missing: 0 };
  const session: PlatformSession = {
    signal: AbortSignal.timeout(60_000),
    workspaceId: 'workspace',
    priority: 'normal',
    onRequest: () => (walked.requests += 1),
  };
  const listing = {
    target: { type: target.target_type, name: target.target },
    sort: 'new',
    window: null,
  } as const;
  let after: string | null = null;
  do {
    const page = await platform.fetchListing(listing, after, session);
    walked.posts.push(...page.posts.map((post) => post.id));
    const commented = page.posts.filter((post) => post.numComments > 0);
    const worker = async () => {
      for (let post = commented.pop(); post !== undefined; post = commented.pop()) {
        const placed = new Map([[post.id, -1]]);
        let missing = 0;
        for await (const slice of platform.walkComments(post, session)) {
          missing = slice.missing;
          for (const comment of slice.comments) {
            expect(comment.depth).toBe((placed.get(comment.parentId) ?? Number.NaN) + 1);
            placed.set(comment.id, comment.depth);
            walked.comments.push(comment.id);
          }
        }
        walked.missing += missing;
      }
    };
    await Promise.all(Array.from({ length: TREES_AT_ONCE }, worker));
    after = page.after;
  } while (after !== null);
  return walked;
}

async function expectWholeWalk(replay: Replay, exactRequests: boolean): Promise<void> {
  const platform = clientOf(replay);
  try {
    for (const target of targets) {
      const walked = await walk(platform, target);
      const { posts, comments } = walked;
      expect({
        target: target.target,
        posts: posts.length,
        posts_sha256: idsHash(posts),
        comments: comments.length,
        comments_sha256: idsHash(comments),
      }).toEqual({
        target: target.target,
        posts: target.posts,
        posts_sha256: target.posts_sha256,
        comments: target.frugal_comments,
        comments_sha256: target.comments_sha256,
      });
      if (exactRequests) expect(walked.requests).toBeLessThanOrEqual(target.frugal_requests * 1.02);
    }
  } finally {
    await platform.close();
  }
}

describeRecordings('every target of the recordings, walked whole', () => {
  async function withReplay(options: string[], run: (replay: Replay) => Promise<void>): Promise<void> {
    const replay = await Replay.start('--compose', '--require-token', ...options);
    try {
      await run(replay);
    } finally {
      await replay.stop();
    }
  }

  it('finds exactly the recorded ids with no more requests than needed', async () => {
    await withReplay([], (replay) => expectWholeWalk(replay, true));
  }, 120_000);

  it('finds the same while three in ten requests fail', async () => {
    const faults = ['--fail-rate', '0.3', '--faults', '429,500,503,truncate,reset,slow', '--slow-ms', '200'];
    await withReplay(faults, async (replay) => {
      await expectWholeWalk(replay, false);
      const { faults: seen } = await replay.stats();
      expect(Object.keys(seen).sort()).toEqual(['429', '500', '503', 'reset', 'slow', 'truncate']);
    });
  }, 180_000);

  it('finds the same when a token ends after every 50 requests', async () => {
    await withReplay(['--expire-token-after', '50'], async (replay) => {
      await expectWholeWalk(replay, false);
      expect((await replay.stats()).tokens_issued).toBeGreaterThan(20);
    });
  }, 120_000);
});
