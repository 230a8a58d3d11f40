import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { mapInSlices } from '../../common/slices.js';
import type { MatchedRecord } from '../../search/matching/matched-record.js';
import type { FreshMatch, NewMatch } from '../matching/alert-matches.repository.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { MatchRecorder } from './match-recorder.js';
import { MatchSender } from './match-sender.js';
import { isHidden } from '../matching/match-state.js';
import { AlertMatcher } from '../matching/alert-matcher.js';
import { watches } from '../alert/alert-scope.js';
import { keyOfComment } from '../../content/comments/comment-keys.js';
import { recordOf, recordOfComment } from '../matching/alertable-record.js';
import type { Fold } from '../stories/fold-stories.js';
import { type AlertableBatch, type AlertableComment, type Reposts } from '../matching/triggering.js';

/** Maximum total size of cached matchers, in keywords and forums of alerts; about 100 bytes each. */
const MAX_CACHED_SIZE = 400_000;
/** Size of a matcher without alerts, which accounts for its buffers. */
const EMPTY_SIZE = 1_000;
/**
 * Number of attempts to store a batch with a matcher compiled before its transaction; after them it is compiled inside.
 */
const PREPARED_ATTEMPTS = 3;

/** The compiled alerts of a workspace, by the texts that they watch. */
interface Matchers {
  posts: AlertMatcher;
  /** Null when no alert watches comments. */
  comments: AlertMatcher | null;
}

/** The compiled alerts of a workspace at one version. */
export interface PreparedMatcher {
  version: string;
  matchers: Matchers;
}

/**
 * Alerts changed between the compilation of a matcher and the transaction that uses it. The transaction must be
 * repeated.
 */
export class AlertsChangedError extends Error {
  constructor() {
    super('The alerts of the workspace changed since they were compiled');
  }
}

/** Matches posts and comments that a scrape or an import stores against a workspace's alerts. */
@Injectable()
export class AlertMatchingService {
  private readonly prepared = new LRUCache<string, PreparedMatcher>({
    maxSize: MAX_CACHED_SIZE,
    sizeCalculation: ({ matchers }) => EMPTY_SIZE + matchers.posts.size + (matchers.comments?.size ?? 0),
  });

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly recorder: MatchRecorder,
    private readonly sender: MatchSender,
  ) {}

  /**
   * The matcher of the workspace's current alerts, compiled in time slices unless it is cached. Opens no transaction.
   */
  async prepare(workspaceId: string): Promise<PreparedMatcher> {
    // Read before the alerts: a change in between makes the matcher outdated, but never incomplete.
    const version = await this.alerts.version(workspaceId);
    const cached = this.prepared.get(workspaceId);
    if (cached?.version === version) return cached;
    const prepared = { version, matchers: await compiled(await this.alerts.active(workspaceId)) };
    this.prepared.set(workspaceId, prepared);
    return prepared;
  }

  /**
   * Runs `work`, which stores a batch in its own transaction and passes the matcher to {@link matchBatch}. Repeats it
   * with a new matcher when alerts changed before the transaction read their version. After three attempts `work` gets
   * null, so that a workspace that constantly changes its alerts cannot stop its jobs.
   */
  async withMatcher<T>(
    workspaceId: string,
    work: (prepared: PreparedMatcher | null) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= PREPARED_ATTEMPTS; attempt += 1) {
      // The transaction checks the version itself, so a cached matcher is used without a check here.
      const kept = attempt === 1 ? this.prepared.get(workspaceId) : undefined;
      try {
        return await work(kept ?? (await this.prepare(workspaceId)));
      } catch (error) {
        if (!(error instanceof AlertsChangedError)) throw error;
      }
    }
    return work(null);
  }

  /**
   * Records which alerts the posts and comments of a batch trigger, within the batch's transaction. The batch has those
   * that were not stored before. Reposts of a story are folded into its first match, and its channel is not
   * notified of them. Matches below the relevance that their alert asks for are recorded and not sent, those that wait
   * for a second reading are not sent yet. For each alert with other new matches, counts one triggering and appends one
   * event; a repeated batch changes nothing. With `prepared` null the alerts are compiled within the transaction. Throws
   * {@link AlertsChangedError} when the version of `prepared` is not the one that the transaction reads.
   */
  async matchBatch(
    workspaceId: string,
    jobId: string,
    { posts = [], comments = [] }: Partial<AlertableBatch>,
    prepared: PreparedMatcher | null,
    tx: EntityManager,
  ): Promise<void> {
    if (posts.length === 0 && comments.length === 0) return;
    const matchers = await this.currentMatchers(workspaceId, prepared, tx);
    const candidates = [
      ...(await findMatches(posts, ({ id }) => id, recordOf, matchers.posts)),
      ...(await findMatches(comments, idOfComment, recordOfComment, matchers.comments)),
    ];
    if (candidates.length === 0) return;
    const ids = [...new Set(candidates.map(({ alertId }) => alertId))];
    const locked = new Map(
      (await this.alerts.lockActive(workspaceId, ids, tx)).map((alert) => [alert.id, alert]),
    );
    const { scored, fresh, folds } = await this.recorder.record(
      workspaceId,
      jobId,
      candidates.filter(({ alertId }) => locked.has(alertId)),
      { locked, batch: { posts, comments } },
      tx,
    );
    if (fresh.length === 0) return;
    const sent = scored.filter(
      ({ alertId, relevance, isWaiting }) =>
        !isWaiting && !isHidden(relevance, locked.get(alertId)!.minRelevance),
    );
    const triggered = [...new Set(sent.map(({ alertId }) => alertId))].map((alertId) => ({
      alert: locked.get(alertId)!,
      jobId,
      matches: sent.filter((match) => match.alertId === alertId),
      reposts: repostsAmong(
        fresh.filter((one) => one.alertId === alertId),
        folds,
      ),
    }));
    await this.sender.send(workspaceId, triggered, { posts, comments }, tx);
  }

  private async currentMatchers(
    workspaceId: string,
    prepared: PreparedMatcher | null,
    tx: EntityManager,
  ): Promise<Matchers> {
    if (prepared === null) return compiled(await this.alerts.active(workspaceId, tx));
    if ((await this.alerts.version(workspaceId, tx)) !== prepared.version) throw new AlertsChangedError();
    return prepared.matchers;
  }
}

async function compiled(alerts: Awaited<ReturnType<AlertsRepository['active']>>): Promise<Matchers> {
  const of = (kind: keyof Matchers) => alerts.filter((alert) => watches(alert.of, kind));
  const ofComments = of('comments');
  return {
    posts: await AlertMatcher.compile(of('posts')),
    comments: ofComments.length === 0 ? null : await AlertMatcher.compile(ofComments),
  };
}

const idOfComment = ({ commentId }: AlertableComment): string => keyOfComment(commentId);

async function findMatches<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  asRecord: (row: Row) => MatchedRecord,
  matcher: AlertMatcher | null,
): Promise<NewMatch[]> {
  if (matcher === null) return [];
  const matches = await mapInSlices(rows, (row) =>
    matcher.match(asRecord(row)).map(({ alertId, keywords }) => ({ alertId, postId: idOf(row), keywords })),
  );
  return matches.flat();
}

/** Which of an alert's fresh matches are folded, and how many into each of them. */
function repostsAmong(fresh: readonly FreshMatch[], folds: readonly Fold[]): Reposts {
  const recordOfMatch = new Map(fresh.map(({ id, postId }) => [id, postId]));
  const folded = new Set<string>();
  const counts = new Map<string, number>();
  for (const { id, into } of folds) {
    const [repost, first] = [recordOfMatch.get(id), recordOfMatch.get(into)];
    if (repost !== undefined) folded.add(repost);
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return { folded, counts };
}
