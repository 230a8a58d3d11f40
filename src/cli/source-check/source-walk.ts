import { SystemClock } from '../../common/clock.js';
import { parseEnvironment } from '../../config/environment.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { listPosts } from '../../collect/scraping/listing.js';
import { START } from '../../collect/scraping/listing-checkpoint.js';
import { StepTimings } from '../../collect/scraping/step-timings.js';
import { TREES_AT_ONCE } from '../../collect/scraping/tree-walk.js';
import { InProcessRequestBudget } from '../../platforms/http/in-process-request-budget.js';
import type { RateLimit } from '../../platforms/http/request-budget.js';
import {
  type Platform,
  type PlatformComment,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
} from '../../platforms/platform.js';
import type { PlatformDefinition } from '../../platforms/platform-definition.js';

/** More posts than a recording has. */
const MAX_POSTS = 10_000;
const TIMEOUT_MS = 110_000;

/** Result of a walk of a target. */
export interface Walked {
  posts: PlatformPost[];
  comments: PlatformComment[];
  /** Posts of which the thread could not be read. */
  failed: string[];
  /** Requests that were reported to the session. */
  reported: number;
}

/** A platform for a check: as in the service, but it never waits, and its budget counts. */
export class CheckedPlatform {
  readonly platform: Platform;
  /** Requests that the budget granted. */
  granted = 0;
  /** Limits that the source stated, in their order. */
  readonly statedLimits: RateLimit[] = [];
  private readonly outbound = new OutboundHttpClient([]);

  constructor(definition: PlatformDefinition, variables: Record<string, string>) {
    const budget = new InProcessRequestBudget(1_000_000);
    const counting = {
      acquire: (session: PlatformSession) => {
        this.granted += 1;
        return budget.acquire(session);
      },
      get nextRequestAt() {
        return budget.nextRequestAt;
      },
      report: budget.report.bind(budget),
      limitTo: (stated: RateLimit) => void this.statedLimits.push(stated),
    };
    this.platform = definition.create({
      environment: parseEnvironment({
        SOURCE_REQUESTS_PER_MINUTE: '1000000',
        SOURCE_IGNORE_NOINDEX: 'true',
        ...variables,
      }),
      userAgent: 'source-check/1.0',
      outbound: this.outbound,
      budget: () => counting,
      logAs: () => () => undefined,
      dependencies: { sleep: () => Promise.resolve() },
    });
  }

  /** A session that counts its requests. `isBrief`: failed requests are not repeated. */
  session(isBrief = false): PlatformSession & { requests: number } {
    const session = {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      workspaceId: 'check',
      priority: 'normal' as const,
      isBrief,
      requests: 0,
      onRequest: () => void (session.requests += 1),
    };
    return session;
  }

  /** Reads a target as a job of mode `full` does, with all threads, as many at a time. */
  async walk(target: Target, session = this.session()): Promise<Walked> {
    const { platform } = this;
    const walked: Walked = { posts: [], comments: [], failed: [], reported: 0 };
    const batches = listPosts(
      { platform, findExisting: () => Promise.resolve(new Map()) },
      {
        target,
        mode: 'full',
        checkpoint: START,
        stored: [],
        room: () => MAX_POSTS - walked.posts.length,
        needsComments: true,
        gapStart: null,
        since: null,
        session,
        timings: new StepTimings(),
        clock: new SystemClock(),
      },
    );
    for await (const { posts } of batches) {
      walked.posts.push(...posts);
      const waiting = posts.filter(({ numComments }) => numComments > 0);
      const walkWaiting = async (): Promise<void> => {
        for (let post = waiting.shift(); post !== undefined; post = waiting.shift())
          await this.walkThread(post, walked, session);
      };
      await Promise.all(Array.from({ length: TREES_AT_ONCE }, walkWaiting));
    }
    walked.reported = session.requests;
    return walked;
  }

  /** Adds the comments below a post; a thread that cannot be read counts as failed. */
  private async walkThread(post: PlatformPost, walked: Walked, session: PlatformSession): Promise<void> {
    try {
      for await (const { comments } of this.platform.walkComments(post, session))
        walked.comments.push(...comments);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      walked.failed.push(post.id);
    }
  }

  async close(): Promise<void> {
    await this.platform.close();
    this.outbound.close();
  }
}
