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
import type { ContentStream } from '../../platforms/platform.js';
import { Platforms } from '../../platforms/platforms.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { StreamsRepository } from './streams.repository.js';

const POLL_MS = 500;
/** After a process was killed, another one reads on after this time. */
const LEASE_MS = 2_500;
/** The lease is renewed as often while nothing happens. */
const RENEW_MS = 700;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Reads the streams of the platforms while any topic is wanted: one process of the installation at a time. A batch is
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
  private readonly loops: PollingLoop[];

  constructor(
    platforms: Platforms,
    private readonly streams: StreamsRepository,
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
    this.loops = [...platforms.streams()].map(
      ([source, stream]) =>
        new PollingLoop(
          () => this.follow(source, stream),
          POLL_MS,
          (error) => this.logger.warn({ err: error, source }, 'stream not read'),
        ),
    );
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('The process is stopping'));
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /**
   * Reads until the connection ends, another process reads, or no topic is wanted. After a failure it pauses, longer
   * each time, while another process may read. Returns whether to go on at once.
   */
  private async follow(source: string, stream: ContentStream): Promise<boolean> {
    const { signal } = this.stopping;
    if (signal.aborted) return false;
    const start = await this.streams.claim(source, this.holder, LEASE_MS);
    if (start === null) return false;
    try {
      await this.read(source, stream, start.position ?? stream.positionAt(start.since));
      return false;
    } catch (error) {
      if (signal.aborted) return false;
      const failures = (this.failures.get(source) ?? 0) + 1;
      this.failures.set(source, failures);
      const pauseMs =
        Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
      this.logger.warn({ err: error, source, failures, pauseMs }, 'stream interrupted');
      await this.streams.release(source, this.holder);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      return true;
    } finally {
      this.newest.delete(source);
      await this.streams.release(source, this.holder);
    }
  }

  private async read(source: string, stream: ContentStream, position: string): Promise<void> {
    const { signal } = this.stopping;
    let storedAt = performance.now();
    for await (const batch of stream.read(position, signal)) {
      if (batch.resumedAt !== undefined)
        this.logger.warn({ source, position, resumedAt: batch.resumedAt }, 'stream events lost');
      const isEmpty = [batch.posts, batch.gone, batch.goneAccounts].every((list) => list.length === 0);
      if (isEmpty && performance.now() - storedAt < RENEW_MS) continue;
      const isReader = await this.transactions.run(signal, (tx) =>
        this.streams.store(source, this.holder, batch, LEASE_MS, tx),
      );
      if (!isReader) return;
      storedAt = performance.now();
      if (batch.newestAt !== null) this.newest.set(source, batch.newestAt);
      this.failures.delete(source);
    }
  }
}
