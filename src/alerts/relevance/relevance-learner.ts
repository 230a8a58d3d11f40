import { Injectable } from '@nestjs/common';
import { mapInSlices } from '../../common/slices.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { isEnough } from './enough-decisions.js';
import { LearningThread } from './learning-thread.js';
import { MatchedTexts } from './matched-texts.js';
import { queryWords } from './query-standing.js';
import { RelevanceModel } from './relevance-model.js';
import { type LearnedMatch, type RelevanceLease, RelevanceRepository } from './relevance.repository.js';

const INTERVAL_MS = 500;
const LEASE_MS = 120_000;
/** Wait after a failure. */
const RETRY_MS = 60_000;
/** Maximum number of matches, and of others, that are learned from, and of their characters. */
const MAX_TEXTS = 10_000;
const MAX_ALL_CHARACTERS = 3_000_000;
/** Number of texts, and of changed matches, that are handled at once. */
const TEXTS_AT_ONCE = 500;
const MATCHES_AT_ONCE = 5_000;

/** A model, and the relevance of matches by id; null of those whose text is no longer stored. */
interface Result {
  model: RelevanceModel;
  relevance: Map<string, number | null>;
}

/** Learns the relevance of an alert's matches soon after decisions on them. */
@Injectable()
export class RelevanceLearner extends RepeatedWork {
  private readonly thread = new LearningThread();

  constructor(
    private readonly relevance: RelevanceRepository,
    private readonly alerts: AlertsRepository,
    private readonly texts: MatchedTexts,
    private readonly transactions: RetryingTransactions,
  ) {
    super(INTERVAL_MS, 'learning of relevance failed; the next pass retries');
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.thread.end();
  }

  /** Learns for the alert that has been due longest; returns whether there was one. */
  override async work(): Promise<boolean> {
    const lease = await this.relevance.claim(LEASE_MS);
    if (lease === null) return false;
    try {
      const alert = await this.alerts.find(lease.workspaceId, lease.alertId);
      if (alert === null) await this.relevance.delete(lease);
      else await this.publish(lease, await this.learn(alert));
    } catch (error) {
      await this.thread.end();
      await this.relevance.release(lease, this.stopping.signal.aborted ? 0 : RETRY_MS);
      if (!this.stopping.signal.aborted) throw error;
    }
    return true;
  }

  /** Null when there are too few decisions. */
  private async learn(alert: Alert): Promise<Result | null> {
    const { workspaceId, id, keywords, query, of } = alert;
    const matches = await this.relevance.matches(workspaceId, id);
    if (!isEnough(decisionsOf(matches))) return null;
    const learned = await this.sendMatches(workspaceId, matches);
    if (!isEnough(decisionsOf(learned))) {
      await this.thread.end();
      return null;
    }
    const without = new Set(matches.map(({ postId }) => postId));
    const others = await this.texts.newestBesides(workspaceId, of, MAX_TEXTS, without);
    for (let at = 0, size = 0; at < others.length && size < MAX_ALL_CHARACTERS; at += TEXTS_AT_ONCE) {
      const texts = others.slice(at, at + TEXTS_AT_ONCE);
      this.thread.send({ others: texts });
      size += charactersOf(texts);
    }
    const { model, relevance } = await this.thread.learn(queryWords(keywords, query), this.stopping.signal);
    if (relevance.length !== learned.length) throw new Error('the thread that learns lost texts');
    const result: Result = {
      model: RelevanceModel.parse(Buffer.from(model)),
      relevance: new Map(learned.map((match, at) => [match.id, relevance[at]!])),
    };
    await this.score(workspaceId, matches, result);
    return result;
  }

  /** Sends the texts of matches to the thread, those with a decision first; returns the matches that were sent. */
  private async sendMatches(workspaceId: string, matches: readonly LearnedMatch[]): Promise<LearnedMatch[]> {
    const candidates = matches.filter(({ isFolded }) => !isFolded).slice(0, MAX_TEXTS);
    const sent: LearnedMatch[] = [];
    for (let at = 0, size = 0; at < candidates.length && size < MAX_ALL_CHARACTERS; at += TEXTS_AT_ONCE) {
      const page = candidates.slice(at, at + TEXTS_AT_ONCE);
      const texts = await this.texts.find(
        workspaceId,
        page.map(({ postId }) => postId),
      );
      const stored = page.filter(({ postId }) => texts.has(postId));
      const matched = stored.map(({ postId }) => texts.get(postId)!);
      this.thread.send({ matched, decisions: stored.map(({ decision }) => decision) });
      sent.push(...stored);
      size += charactersOf(matched);
    }
    return sent;
  }

  /** Adds the relevance of matches that have none yet. */
  private async score(
    workspaceId: string,
    matches: readonly Pick<LearnedMatch, 'id' | 'postId'>[],
    { model, relevance }: Result,
  ): Promise<void> {
    const missing = matches.filter(({ id }) => !relevance.has(id));
    for (let at = 0; at < missing.length; at += TEXTS_AT_ONCE) {
      const page = missing.slice(at, at + TEXTS_AT_ONCE);
      const texts = await this.texts.find(
        workspaceId,
        page.map(({ postId }) => postId),
      );
      await mapInSlices(page, ({ id, postId }) => {
        const text = texts.get(postId);
        relevance.set(id, text === undefined ? null : model.relevance(text));
      });
    }
  }

  /**
   * Stores the model and the relevance of all matches together. Batches lock the alert before they read its model, so
   * that the lock leaves no match with a former relevance.
   */
  private async publish(lease: RelevanceLease, result: Result | null): Promise<void> {
    const { workspaceId, alertId } = lease;
    await this.transactions.run(this.stopping.signal, async (tx) => {
      if ((await this.alerts.lock(workspaceId, alertId, tx)) === null) return;
      const ids = await this.relevance.lockMatches(workspaceId, alertId, tx);
      const fresh = result !== null && ids.some((id) => !result.relevance.has(id));
      if (fresh)
        await this.score(workspaceId, await this.relevance.matches(workspaceId, alertId, tx), result);
      for (let at = 0; at < ids.length; at += MATCHES_AT_ONCE) {
        const page = ids.slice(at, at + MATCHES_AT_ONCE);
        const values = page.map((id) => result?.relevance.get(id) ?? null);
        await this.relevance.setRelevance(workspaceId, alertId, page, values, tx);
      }
      if (!(await this.relevance.store(lease, result?.model.store() ?? null, tx)))
        throw new Error('the lease ended, or a text was erased, while an alert was learned');
    });
  }
}

const decisionsOf = (matches: readonly LearnedMatch[]): { kept: number; dismissed: number } => ({
  kept: matches.filter(({ decision }) => decision === 1).length,
  dismissed: matches.filter(({ decision }) => decision === 0).length,
});

const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
