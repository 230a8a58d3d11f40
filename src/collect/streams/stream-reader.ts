import type { ContentStream } from '../../platforms/content-stream.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import { PollingLoop } from '../../common/polling-loop.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { PlatformError } from '../../platforms/platform.js';
import { Platforms } from '../../platforms/platforms.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { HeardStore } from './heard-store.js';
import { type StreamStart, StreamsRepository } from './streams.repository.js';

const POLL_MS = 500;
/** After a process was killed, another one reads on after this time. */
const LEASE_MS = 2_500;
/** The lease is renewed as often within its time while nothing happens. */
const RENEWALS = 3.5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** A source that refuses to be read gets another request after this time at most. */
const LONGEST_REFUSED_MS = 900_000;
/** Sources that a process reads at most; others wait until it reads fewer, or are read by another process. */
const MAX_STREAMS = 1_000;
/** How a server refuses a connection for good. */
const REFUSED = /\bUnexpected server response: (4(?!08|29)\d\d)\b/;

/**
 * Reads the streams of the platforms while any topic is wanted or a query listens: one process of the installation reads each at a time. A batch is
 * stored together with the position after it, so nothing is lost when a process ends in between.
 */
@Injectable()
export class StreamReader implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(StreamReader.name);
  private readonly holder = randomUUID();
  private readonly stopping = new AbortController();
  private readonly failures = new Map<string, number>();
  /** When the newest stored event happened, of the streams that this process reads. */
  private readonly newest = new Map<string, Date>();
  private readonly followed = new Map<string, Promise<void>>();
  private readonly loop = new PollingLoop(
    () => this.followWanted(),
    POLL_MS,
    (error) => this.logger.warn({ err: error }, 'streams not read'),
  );

  constructor(
    private readonly platforms: Platforms,
    private readonly streams: StreamsRepository,
    private readonly heard: HeardStore,
    private readonly transactions: RetryingTransactions,
    { registry }: MetricsRegistry,
  ) {
    const { newest } = this;
    new Gauge({
      name: 'wss_stream_lag_seconds',
      help: 'Age of the newest stored event of a stream, in the process that reads it',
      labelNames: ['source'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [source, time] of newest)
          this.set({ source }, Math.max(0, (Date.now() - time.getTime()) / 1_000));
      },
    });
  }

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('The process is stopping'));
    await this.loop.stop();
    await Promise.all(this.followed.values());
  }

  /** Begins to read what is wanted and not read. */
  private async followWanted(): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    await this.heard.refresh();
    for (const source of await this.streams.wanted(this.holder)) {
      const stream = this.platforms.streamOf(source);
      if (stream === null || this.followed.has(source) || this.followed.size >= MAX_STREAMS) continue;
      const reading = this.follow(source, stream)
        .catch((error: unknown) => this.logger.warn({ err: error, source }, 'stream not read'))
        .finally(() => this.followed.delete(source));
      this.followed.set(source, reading);
    }
    return false;
  }

  /**
   * Reads until the connection ends, another process reads, or nothing is wanted. After a failure it pauses, longer
   * each time, while another process may read.
   */
  private async follow(source: string, stream: ContentStream): Promise<void> {
    const { signal } = this.stopping;
    const start = await this.streams.claim(source, this.holder, stream.leaseMs ?? LEASE_MS);
    if (start === null) return;
    let refusal: string | null = null;
    try {
      await this.read(source, stream, start);
    } catch (error) {
      if (signal.aborted) return;
      const failures = (this.failures.get(source) ?? 0) + 1;
      this.failures.set(source, failures);
      refusal = refusalOf(error);
      const longest = refusal === null ? LONGEST_PAUSE_MS : LONGEST_REFUSED_MS;
      const pauseMs = Math.min(longest, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
      this.logger.warn({ err: error, source, failures, pauseMs }, 'stream interrupted');
      await this.streams.release(source, this.holder, refusal);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    } finally {
      this.newest.delete(source);
      await this.streams.release(source, this.holder, refusal);
    }
  }

  private async read(
    source: string,
    stream: ContentStream,
    { newestAt, ...start }: StreamStart,
  ): Promise<void> {
    const position = start.position ?? stream.positionAt(start.since);
    const { signal } = this.stopping;
    const leaseMs = stream.leaseMs ?? LEASE_MS;
    let storedAt = performance.now();
    let read = 0;
    for await (const batch of stream.read(position, signal)) {
      if (batch.gap !== undefined)
        this.logger.warn({ source, position, gap: batch.gap }, 'stream events lost');
      const { posts, ...matched } = await this.heard.match(source, batch);
      read += batch.texts.filter(({ at }) => newestAt === null || at > newestAt).length;
      const { heard, edited } = matched;
      const lists = [posts, heard, edited, batch.gone, batch.goneAccounts];
      const isEmpty = lists.every((list) => list.length === 0);
      if (isEmpty && batch.gap === undefined && performance.now() - storedAt < leaseMs / RENEWALS) continue;
      const isReader = await this.transactions.run(signal, async (tx) => {
        if (!(await this.streams.store(source, this.holder, { ...batch, posts, read }, leaseMs, tx)))
          return false;
        await this.heard.store(source, matched, batch, tx);
        return true;
      });
      read = 0;
      if (!isReader) return;
      storedAt = performance.now();
      if (batch.newestAt !== null) this.newest.set(source, batch.newestAt);
      this.failures.delete(source);
    }
  }
}

/** Why a source refuses to be read, as a sentence; null for a failure that passes. */
function refusalOf(error: unknown): string | null {
  if (error instanceof PlatformError && error.code !== 'unavailable') return error.message;
  const [, status] = (error instanceof Error && REFUSED.exec(error.message)) || [];
  return status === undefined ? null : `The server refuses the connection with status ${status}`;
}
