import { SystemClock } from '../../src/common/clock.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { problemsOfComments, problemsOfPosts } from '../../src/cli/source-check/content-problems.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import { listPosts } from '../../src/collect/scraping/listing.js';
import { START } from '../../src/collect/scraping/listing-checkpoint.js';
import { StepTimings } from '../../src/collect/scraping/step-timings.js';
import type {
  Platform,
  PlatformComment,
  PlatformPost,
  PlatformSession,
} from '../../src/platforms/platform.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { withShared } from '../support/shared-folder.js';
import {
  type ExpectedWalk,
  RecordedSites,
  recordedSources,
  recordingsOf,
  variantsOf,
} from './site-replay.js';

/** Maximum ratio of a walk's requests to the fewest. */
const MOST_REQUESTS = 1.02;
/** Larger targets are left out for other versions. */
const MAX_VARIANT_REQUESTS = 25;
/** Threads that a job walks at a time. */
const THREADS_AT_ONCE = 12;

interface Walked {
  expected: ExpectedWalk;
  posts: PlatformPost[];
  comments: PlatformComment[];
  missing: number;
  requests: number;
}

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();

describe.each(recordedSources)('the recorded source %s', (source) => {
  const { describe } = withShared(recordingsOf(source));
  const definition = SOURCES.find(source)!;
  let sites: RecordedSites | undefined;
  let platform: Platform | undefined;
  let outbound: OutboundHttpClient | undefined;

  const start = async (...options: string[]): Promise<void> => {
    sites = await RecordedSites.start(source, ...options);
    outbound = new OutboundHttpClient([]);
    const budget = new InProcessRequestBudget(1_000_000);
    // A replay has the limit of its instance, but does not enforce it.
    budget.limitTo = () => undefined;
    platform = definition.create({
      environment: parseEnvironment(sites.variables),
      userAgent: 'agent/1.0',
      outbound,
      budget: () => budget,
      logAs: () => () => undefined,
      dependencies: { sleep: () => Promise.resolve() },
    });
  };
  const stop = async (): Promise<void> => {
    await platform?.close();
    outbound?.close();
    await sites?.stop();
  };

  /** Reads a target as a job does. */
  const walk = async (
    expected: ExpectedWalk,
    mode: 'full' | 'monitor',
    stored: readonly PlatformPost[] = [],
  ): Promise<Walked> => {
    const { target, targetType } = expected;
    const walked: Walked = { expected, posts: [], comments: [], missing: 0, requests: 0 };
    const session: PlatformSession = {
      signal: new AbortController().signal,
      workspaceId: 'w',
      priority: 'normal',
      onRequest: () => (walked.requests += 1),
    };
    const sourced = SOURCES.parse({ type: targetType, name: target });
    if ('refusal' in sourced) throw new Error(sourced.refusal);
    const existing = new Map(
      stored.map((post) => [post.id, { ...post, hasMissingComments: false, scrapedAt: new Date(0) }]),
    );
    const batches = listPosts(
      {
        platform: platform!,
        findExisting: (ids) => Promise.resolve(new Map([...existing].filter(([id]) => ids.includes(id)))),
      },
      {
        target: sourced.target,
        mode,
        checkpoint: START,
        stored: [],
        room: () => 10_000 - walked.posts.length,
        needsComments: true,
        gapStart: null,
        since: null,
        session,
        timings: new StepTimings(),
        clock: new SystemClock(),
      },
    );
    for await (const batch of batches) {
      walked.posts.push(...batch.posts);
      const threads = batch.posts.filter(
        ({ id, numComments }) => numComments > 0 && !batch.unchangedComments.has(id),
      );
      const walkNext = async (): Promise<void> => {
        for (let post = threads.shift(); post !== undefined; post = threads.shift()) {
          let missing = 0;
          for await (const slice of platform!.walkComments(post, session)) {
            walked.comments.push(...slice.comments);
            missing = slice.missing;
          }
          walked.missing += missing;
        }
      };
      await Promise.all(Array.from({ length: THREADS_AT_ONCE }, walkNext));
    }
    return walked;
  };
  const expectContent = ({ expected, posts, comments }: Walked): void =>
    expect([expected.target, ids(posts), ids(comments)]).toEqual([
      expected.target,
      expected.posts,
      expected.comments,
    ]);
  const expectComplete = (all: readonly Walked[]): void => {
    all.forEach(expectContent);
    expect(all.map(({ missing }) => missing)).toEqual(all.map(({ expected }) => expected.missing));
    const excess = all.filter(({ expected, requests }) => requests > expected.requests * MOST_REQUESTS);
    expect(excess.map(({ expected, requests }) => [expected, requests])).toEqual([]);
  };

  describe('as it was recorded', () => {
    const walks: Walked[] = [];
    beforeAll(async () => {
      await start();
      for (const expected of sites!.expected) walks.push(await walk(expected, 'full'));
    });
    afterAll(stop);

    it('gives exactly the content of every target, with the fewest requests', () => {
      expect(walks.length).toBeGreaterThan(0);
      expectComplete(walks);
    });

    it('gives the same in mode monitor', async () => {
      for (const { expected } of walks) expectComplete([await walk(expected, 'monitor')]);
    });

    it('reads little again when nothing has changed', async () => {
      const [{ expected, posts }] = walks as [Walked];
      const again = await walk(expected, 'monitor', posts);
      expect(again.comments).toEqual([]);
      expect(again.requests).toBeLessThanOrEqual(2);
    });

    it('gives plain values, and parents before their replies', () => {
      for (const { posts, comments } of walks) {
        expect(problemsOfPosts(definition, posts)).toEqual([]);
        expect(problemsOfComments(definition, posts, comments)).toEqual([]);
        for (const { id, parentId, depth, postId } of comments)
          expect([id, depth === 0 ? parentId : '']).toEqual([id, depth === 0 ? postId : '']);
        for (const { forum, selftext } of posts) {
          expect(forum).toMatch(new RegExp(`^${definition.prefix}:`));
          expect(selftext).not.toMatch(/^<p>/);
        }
      }
    });

    // Last, because it changes the sites.
    it('finds what was deleted, and nothing else', async () => {
      const { posts, comments } = walks.find(({ expected }) => expected.comments.length >= 3)!;
      const { lookup } = platform!;
      const session: PlatformSession = {
        signal: new AbortController().signal,
        workspaceId: 'w',
        priority: 'low',
        onRequest: () => undefined,
      };
      const [comment] = comments;
      const inThread = comments.filter(({ postId }) => postId === comment!.postId).map(({ id }) => id);
      // A reply in a timeline is a post and a comment.
      const others = posts.filter(({ id }) => id !== comment!.postId && id !== comment!.id);
      const [post] = others;
      const goneComments = async (): Promise<string[]> =>
        ids(await lookup!.findGoneComments(inThread, comment!.postId, session));
      const gonePosts = async (): Promise<string[]> =>
        ids(
          await lookup!.findGonePosts(
            others.slice(0, 20).map(({ id }) => id),
            session,
          ),
        );
      // Texts that members' flags hid count as removed.
      const before = [await goneComments(), await gonePosts()];
      await sites!.delete('comment', comment!.id);
      await sites!.delete('post', post!.id);
      expect(await goneComments()).toEqual([...before[0]!, comment!.id].sort());
      expect(await gonePosts()).toEqual([...before[1]!, post!.id].sort());
    });
  });

  describe('with other answers', () => {
    afterEach(stop);

    for (const [version, options] of variantsOf(source))
      it(`gives its content as ${version}`, async () => {
        await start(...options);
        // Few requests, because some versions limit them.
        for (const expected of sites!.expected.filter(({ requests }) => requests <= MAX_VARIANT_REQUESTS))
          expectContent(await walk(expected, 'full'));
      });

    it('gives its content with 30 % of the requests failing', async () => {
      await start('--fail-rate', '0.3', '--seed', '7');
      const [expected] = sites!.expected
        .filter(({ requests }) => requests > 4)
        .sort((a, b) => a.requests - b.requests);
      expectContent(await walk(expected!, 'full'));
    });
  });
});
