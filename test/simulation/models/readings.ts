import type pg from 'pg';
import type { JobExecution } from '../../../src/collect/scraping/job-execution.js';
import { DELETED, type PlatformSession } from '../../../src/platforms/platform.js';
import type { NewPost } from '../../factories/posts.js';
import type { Actor } from '../virtual-time.js';
import { Violation } from '../violation.js';
import { LISTED, type World, type WorldComment } from '../world.js';
import { isErased } from './erasures.js';

/** A post or comment as an execution was shown it. */
interface Showing {
  askedAt: number;
  at: number;
  state: string;
  /** With a deletion in place of its text. */
  gone: string;
  /** The post, or that of the comment. */
  postId: string;
}

export const stateOfPost = ({ forum, title, selftext, author, score, numComments }: NewPost): string =>
  [forum, title, selftext, author, score, numComments].join('|');
export const stateOfComment = ({ postId, body, author }: WorldComment): string =>
  [postId, body, author].join('|');

/** What one execution of a job was shown by the platform. */
export class Reading {
  readonly shown = new Map<string, Showing>();
  /** Numbers of comments that were shown of each tree, by post. */
  readonly trees = new Map<string, number>();
  /** When it could store nothing any more. */
  endedAt = Infinity;
  /** Whether it stored all that it was shown. */
  isWhole = false;

  constructor(
    readonly process: Actor,
    readonly execution: JobExecution,
    private readonly now: () => number,
  ) {}

  /** Posts that were shown. */
  posts(): string[] {
    return [...this.shown].flatMap(([id, { postId }]) => (id === postId ? [id] : []));
  }

  /** Of a post in two listings the first counts. */
  showsPost(row: NewPost, askedAt: number): void {
    if (this.shown.has(row.id)) return;
    const gone = stateOfPost({ ...row, title: DELETED, selftext: DELETED, author: DELETED });
    this.shown.set(row.id, { askedAt, at: this.now(), state: stateOfPost(row), gone, postId: row.id });
  }

  /** A tree is walked, from its begin. */
  walks(postId: string): void {
    this.trees.set(postId, 0);
  }

  showsComment(comment: WorldComment, askedAt: number): void {
    const { commentId, postId } = comment;
    this.trees.set(postId, this.trees.get(postId)! + 1);
    const gone = stateOfComment({ ...comment, body: DELETED, author: DELETED });
    this.shown.set(commentId, { askedAt, at: this.now(), state: stateOfComment(comment), gone, postId });
  }

  /** The execution has ended; `isDone` if it did all that is left of its job. */
  end(isDone: boolean): void {
    this.endedAt = this.now();
    this.isWhole = isDone;
  }
}

/** Clocks of executions are late by the pauses while they are claimed. */
const CLOCKS_LATE_MS = 60_000;

/**
 * What is stored is what the platform showed: in its last state, except for readings that overlapped, and all that an
 * execution was shown that did all its work. What is gone is stored as gone. Jobs count what they were shown.
 */
export class ReadingModel {
  private readonly readings: Reading[] = [];
  private broken: string | null = null;
  private readonly bySession = new WeakMap<PlatformSession, Reading>();

  constructor(private readonly now: () => number) {}

  begin(process: Actor, execution: JobExecution): Reading {
    const reading = new Reading(process, execution, this.now);
    this.readings.push(reading);
    this.bySession.set(execution.session, reading);
    return reading;
  }

  of(session: PlatformSession): Reading {
    return this.bySession.get(session)!;
  }

  /** Work that stores for an execution, which must fail once another execution has taken over the job. */
  async storing<T>(execution: JobExecution, work: () => Promise<T>): Promise<T> {
    const last = this.ofJob(execution.job.id).at(-1)!;
    const result = await work();
    if (last.execution !== execution)
      this.broken ??= `Job ${execution.job.id} got a batch of an execution that had lost it to ${last.process.name}`;
    return result;
  }

  /** A process was killed. */
  ended(process: Actor): void {
    for (const reading of this.readings) if (reading.process === process) reading.endedAt = this.now();
  }

  /** Whenever nothing is due: running jobs count no more than they were shown. */
  async checkRunning(control: pg.Client): Promise<void> {
    if (this.broken !== null) throw new Violation(this.broken);
    const { rows } = await control.query<JobCounters>(`${COUNTERS} WHERE status = 'running'`);
    for (const job of rows) checkCounters(job, this.ofJob(job.id), false);
  }

  async check(control: pg.Client, world: World): Promise<void> {
    for (const workspaceId of world.workspaces) {
      const own = this.readings.filter(({ execution }) => execution.job.workspaceId === workspaceId);
      await checkStates(control, world, workspaceId, own);
      const hasErased = world.erasures.some((erasure) => erasure.workspaceId === workspaceId);
      const { rows } = await control.query<JobCounters>(
        `${COUNTERS} WHERE workspace_id = $1 AND status = 'completed'`,
        [workspaceId],
      );
      for (const job of rows) checkCounters(job, this.ofJob(job.id), !hasErased);
    }
  }

  /** In the order of their beginnings. */
  private ofJob(id: string): Reading[] {
    return this.readings.filter(({ execution }) => execution.job.id === id);
  }
}

interface JobCounters {
  id: string;
  posts: number;
  comments: number;
}

const COUNTERS = 'SELECT id, posts_scraped AS posts, comments_scraped AS comments FROM jobs';

/** The states of a workspace's posts and comments, by id. */
export async function storedStates(control: pg.Client, workspaceId: string): Promise<Map<string, string>> {
  const { rows } = await control.query<{ id: string; state: string }>(
    `SELECT id, concat_ws('|', forum, title, selftext, author, score, num_comments) AS state FROM posts
       WHERE workspace_id = $1
     UNION ALL SELECT comment_id, concat_ws('|', post_id, body, author) FROM comments WHERE workspace_id = $1`,
    [workspaceId],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** The states in which an item can be stored, and whether it must be; null when it was never shown. */
function expectedOf(
  id: string,
  readings: readonly Reading[],
  isGone: boolean,
): { states: Set<string>; postId: string; isCertain: boolean } | null {
  const all = readings.flatMap((reading) => {
    const showing = reading.shown.get(id);
    return showing === undefined ? [] : [{ ...showing, reading }];
  });
  if (all.length === 0) return null;
  const whole = all.filter(
    ({ reading: { isWhole, execution } }) => isWhole && execution.job.postLimit > LISTED,
  );
  // A pass can leave stored posts as they are, and a listing those that its job has stored.
  const refreshing = whole.filter(({ reading: { execution } }) => execution.job.mode === 'full');
  const lastAt = Math.max(...refreshing.map(({ askedAt }) => askedAt)) - CLOCKS_LATE_MS;
  const states = isGone
    ? all.map(({ gone }) => gone)
    : all.filter(({ at }) => at >= lastAt).map(({ state }) => state);
  return { states: new Set(states), postId: all[0]!.postId, isCertain: whole.length > 0 };
}

async function checkStates(
  control: pg.Client,
  world: World,
  workspaceId: string,
  readings: readonly Reading[],
): Promise<void> {
  const stored = await storedStates(control, workspaceId);
  for (const id of new Set([...stored.keys(), ...readings.flatMap(({ shown }) => [...shown.keys()])])) {
    const expected = expectedOf(id, readings, world.isGone(id));
    const state = stored.get(id);
    const broken = (what: string): never => {
      throw new Violation(`Workspace ${workspaceId} ${what}`);
    };
    if (expected === null) return broken(`stores ${id}, which the platform did not show`);
    const { states, postId, isCertain } = expected;
    if (state !== undefined && !states.has(state))
      broken(`stores ${id} as ${state}, and was shown ${[...states].join(' or ')}`);
    const authors = [id, postId].map((one) => world.authors.get(one)!);
    if (state === undefined && isCertain && !isErased(world, workspaceId, { id: postId, authors }))
      broken(`was shown ${id} and does not store it`);
  }
}

/** A job counts no more than its executions were shown; if `isExact`, one that a single execution completed no less. */
function checkCounters(
  { id, posts, comments }: JobCounters,
  readings: readonly Reading[],
  isExact: boolean,
): void {
  const broken = (what: string): never => {
    throw new Violation(`Job ${id} counts ${what}`);
  };
  const { mode = 'full', postLimit = 0 } = readings[0]?.execution.job ?? {};
  const listed = Math.min(new Set(readings.flatMap((reading) => reading.posts())).size, postLimit);
  if (posts > listed) broken(`${posts} posts and was shown ${listed}`);
  const most = new Map<string, number>();
  for (const [tree, shown] of readings.flatMap(({ trees }) => [...trees]))
    most.set(tree, Math.max(shown, most.get(tree) ?? 0));
  const walked = [...most.values()].reduce((sum, shown) => sum + shown, 0);
  if (comments > walked) broken(`${comments} comments and was shown ${walked}`);
  if (!isExact || readings.length > 1) return;
  if (mode === 'full' && posts < listed) broken(`${posts} posts of ${listed}`);
  if (comments < walked) broken(`${comments} comments of ${walked}`);
}
