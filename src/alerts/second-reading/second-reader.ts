import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../common/collections.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { MatchedTexts } from '../relevance/matched-texts.js';
import { QuestionReader } from './question-reader.js';
import type { Reading } from '../matching/second-reading.js';
import { ReadMatchSender } from './read-match-sender.js';
import { ReadingQuota } from './reading-quota.js';
import { type ClaimedMatch, ReadingsRepository } from './readings.repository.js';

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
  constructor(
    private readonly readings: ReadingsRepository,
    private readonly reader: QuestionReader,
    private readonly alerts: AlertsRepository,
    private readonly texts: MatchedTexts,
    private readonly quota: ReadingQuota,
    private readonly sender: ReadMatchSender,
  ) {
    super(INTERVAL_MS, 'second readings failed; the next pass retries');
  }

  /** Reads some waiting matches of each alert, up to a number of alerts; returns whether any waited. */
  override async work(): Promise<boolean> {
    const waiting = await this.readings.waiting(ALERTS_AT_ONCE);
    for (const { workspaceId, alertId } of waiting) {
      this.stopping.signal.throwIfAborted();
      const claimed = await this.readings.claim(workspaceId, alertId, MATCHES_AT_ONCE, LEASE_MS);
      if (claimed.length === 0) continue;
      const answers = await this.read(workspaceId, alertId, claimed);
      await this.sender.settle(workspaceId, alertId, answers, this.stopping.signal);
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
    const texts = await this.texts.find(workspaceId, recordIds);
    const mayCall = (): Promise<boolean> => this.quota.take(workspaceId);
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
}
