import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { ANYWHERE } from '../../infrastructure/outbound-http/address-guard.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { ReaderBreaker } from './reader-breaker.js';
import type { Reading } from '../matching/second-reading.js';
import { messagesOf, readingOf } from './reading-prompt.js';
import { ReadingMetrics } from './reading-metrics.js';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_TOKENS = 120;
/** Answers are kept in memory for an hour at most. */
const MAX_KEPT = 10_000;
const KEPT_MS = 3_600_000;

const COMPLETION = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** A question of an alert about a text. */
export interface AskedText {
  workspaceId: string;
  question: string;
  text: string;
}

/** Puts questions about texts to the operator's language model. */
@Injectable()
export class QuestionReader implements OnApplicationShutdown {
  private readonly logger = new Logger(QuestionReader.name);
  private readonly client = new OutboundHttpClient(ANYWHERE);
  private readonly breaker: ReaderBreaker;
  private readonly kept = new LRUCache<string, Reading>({ max: MAX_KEPT, ttl: KEPT_MS });

  constructor(
    @Inject(ENVIRONMENT)
    private readonly environment: Pick<Environment, 'JUDGE_URL' | 'JUDGE_API_KEY' | 'JUDGE_MODEL'>,
    private readonly metrics: ReadingMetrics,
    clock: Clock,
  ) {
    this.breaker = new ReaderBreaker(clock);
  }

  onApplicationShutdown(): void {
    this.client.close();
  }

  /**
   * The answer; null when there is none, for whatever reason. `mayCall` decides whether a call is made, and counts it.
   * Throws only when `signal` aborts.
   */
  async read(
    asked: AskedText,
    mayCall: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<Reading | null> {
    const { JUDGE_URL: url } = this.environment;
    if (url === undefined) return null;
    const key = keyOf(asked);
    const known = this.kept.get(key);
    if (known !== undefined) {
      this.metrics.count('kept');
      return known;
    }
    if (this.breaker.isPaused || !(await mayCall())) {
      this.metrics.count('left_out');
      return null;
    }
    const reading = await this.call(url, asked, signal);
    if (reading !== null) this.kept.set(key, reading);
    return reading;
  }

  private async call(url: string, asked: AskedText, signal: AbortSignal): Promise<Reading | null> {
    try {
      const answer = await this.complete(url, asked, signal);
      this.breaker.succeeded();
      const reading = readingOf(answer);
      this.metrics.count(reading === null ? 'unclear' : reading.relevant ? 'yes' : 'no');
      return reading;
    } catch (error) {
      signal.throwIfAborted();
      this.breaker.failed();
      this.metrics.count('failed');
      this.logger.warn({ err: error }, 'second reading failed; the relevance of the model counts');
      return null;
    }
  }

  private async complete(url: string, { question, text }: AskedText, signal: AbortSignal): Promise<string> {
    const { JUDGE_API_KEY: key, JUDGE_MODEL: model } = this.environment;
    const { status, body, truncated } = await this.client.request({
      method: 'POST',
      url,
      timeoutMs: TIMEOUT_MS,
      signal,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        temperature: 0,
        max_tokens: MAX_ANSWER_TOKENS,
        messages: messagesOf(question, text),
      }),
    });
    if (status !== 200 || truncated) throw new Error(`The answer has the status ${status} or is too long`);
    return COMPLETION.parse(JSON.parse(new TextDecoder().decode(body))).choices[0]!.message.content;
  }
}

/** Of a hash, so that no text is kept. */
const keyOf = ({ workspaceId, question, text }: AskedText): string =>
  createHash('sha256')
    .update(JSON.stringify([workspaceId, question, text]))
    .digest('base64');
