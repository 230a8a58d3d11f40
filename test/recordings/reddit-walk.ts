import { type PlatformSession } from '../../src/platforms/platform.js';
import { RedditPlatform } from '../../src/platforms/reddit/reddit-platform.js';
import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import { idsHash, recordedWalks, Replay, type WalkTarget } from './replay.js';

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
    // Waits are decided as usual but take no time.
    dependencies: { sleep: () => new Promise((done) => setImmediate(done)) },
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
    name: 'new',
    wanted: 100,
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

/** Walks every recorded target through the platform client and compares the ids with the recorded ones. */
export async function expectWholeWalk(replay: Replay, exactRequests: boolean): Promise<void> {
  const platform = clientOf(replay);
  try {
    for (const target of recordedWalks()) {
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

/** Runs with a replay of the recordings that is stopped afterwards. */
export async function withReplay(options: string[], run: (replay: Replay) => Promise<void>): Promise<void> {
  const replay = await Replay.start('--compose', '--require-token', ...options);
  try {
    await run(replay);
  } finally {
    await replay.stop();
  }
}
