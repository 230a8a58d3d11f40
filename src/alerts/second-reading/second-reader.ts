import { Injectable, Logger } from '@nestjs/common';
import { chunksOf } from '../../common/collections.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { commentIdOf } from '../../content/comments/comment-keys.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { isHidden } from '../matching/match-state.js';
import type { AlertableBatch } from '../matching/triggering.js';
import { MatchedTexts } from '../relevance/matched-texts.js';
import { MatchSender } from '../service/match-sender.js';
import { QuestionReader } from './question-reader.js';
import type { Reading } from '../matching/second-reading.js';
import { type ClaimedMatch, type ReadMatch, ReadingsRepository } from './readings.repository.js';

const INTERVAL_MS = 500;
const ALERTS_AT_ONCE = 20;
/** Matches of an alert that are claimed at once, and of these, calls at the same time. */
const MATCHES_AT_ONCE = 8;
const CALLS_AT_ONCE = 4;
/** Longer than the calls for one claim take. */
const LEASE_MS = 60_000;

/**
 * Reads matches a second time that the model of their alert is uncertain of, and then sends those that are not hidden. Without
 * an answer the relevance of the model counts.
 */
@Injectable()
export class SecondReader extends RepeatedWork {
  private readonly logger = new Logger(SecondReader.name);
  protected readonly loop = new PollingLoop(
    () => this.readDue(),
    INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'second readings failed; the next pass retries'),
  );

  constructor(
    private readonly readings: ReadingsRepository,
    private readonly reader: QuestionReader,
    private readonly alerts: AlertsRepository,
    private readonly texts: MatchedTexts,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly sender: MatchSender,
    private readonly quotas: QuotasService,
    private readonly transactions: RetryingTransactions,
  ) {
    super();
  }

  /** Reads some waiting matches of each alert, up to a number of alerts; returns whether any waited. */
  async readDue(): Promise<boolean> {
    const waiting = await this.readings.waiting(ALERTS_AT_ONCE);
    for (const { workspaceId, alertId } of waiting) {
      this.stopping.signal.throwIfAborted();
      const claimed = await this.readings.claim(workspaceId, alertId, MATCHES_AT_ONCE, LEASE_MS);
      if (claimed.length > 0)
        await this.settle(workspaceId, alertId, await this.read(workspaceId, alertId, claimed));
    }
    return waiting.length > 0;
  }

  /** The answers by id of the match. */
  private async read(
    workspaceId: string,
    alertId: string,
    claimed: readonly ClaimedMatch[],
  ): Promise<Map<string, Reading | null>> {
    const { question } = (await this.alerts.find(workspaceId, alertId)) ?? { question: null };
    const recordIds = claimed.map(({ postId }) => postId);
    const [texts, limit] = await Promise.all([
      this.texts.find(workspaceId, recordIds),
      this.quotas.limit(workspaceId, 'second_readings_per_day'),
    ]);
    const mayCall = (): Promise<boolean> => this.readings.take(workspaceId, limit);
    const answers = new Map<string, Reading | null>();
    for (const chunk of chunksOf(claimed, CALLS_AT_ONCE))
      await Promise.all(
        chunk.map(async ({ id, postId, isLate }) => {
          const text = texts.get(postId);
          const isRead = question !== null && text !== undefined && !isLate;
          const asked = { workspaceId, question: question ?? '', text: text ?? '' };
          answers.set(id, isRead ? await this.reader.read(asked, mayCall, this.stopping.signal) : null);
        }),
      );
    return answers;
  }

  /** Ends the wait of matches and sends those that are not hidden. */
  private settle(
    workspaceId: string,
    alertId: string,
    answers: ReadonlyMap<string, Reading | null>,
  ): Promise<void> {
    return this.transactions.run(this.stopping.signal, async (tx) => {
      const [alert] = await this.alerts.lockActive(workspaceId, [alertId], tx);
      const read = await this.readings.settle(workspaceId, alertId, answers, tx);
      if (alert === undefined) return;
      const shown = read.filter(({ relevance }) => !isHidden(relevance, alert.minRelevance));
      const { batch, stored } = await this.recordsOf(workspaceId, shown);
      if (stored.length === 0) return;
      const reposts = {
        folded: new Set(stored.filter(({ isFolded }) => isFolded).map(({ postId }) => postId)),
        counts: new Map(
          stored
            .filter(({ duplicates }) => duplicates > 0)
            .map(({ postId, duplicates }) => [postId, duplicates]),
        ),
      };
      const triggered = { alert, jobId: stored[0]!.jobId, matches: stored, reposts };
      await this.sender.send(workspaceId, [triggered], batch, tx);
    });
  }

  /** The records of matches, and the matches whose record is stored. */
  private async recordsOf(
    workspaceId: string,
    matches: readonly ReadMatch[],
  ): Promise<{ batch: AlertableBatch; stored: ReadMatch[] }> {
    const commentIds = matches.map(({ postId }) => commentIdOf(postId)).filter((id) => id !== null);
    const postIds = matches.map(({ postId }) => postId).filter((id) => commentIdOf(id) === null);
    const [posts, comments] = await Promise.all([
      this.posts.findMany(workspaceId, postIds),
      this.comments.findMany(workspaceId, commentIds),
    ]);
    return {
      batch: { posts: [...posts.values()], comments: [...comments.values()] },
      stored: matches.filter(({ postId }) => posts.has(postId) || comments.has(commentIdOf(postId) ?? '')),
    };
  }
}
