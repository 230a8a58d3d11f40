import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { withTimeout } from '../../common/timeout.js';
import { platformMetrics } from '../../platforms/http/limited-sender.js';
import { PlatformBudgets } from '../../platforms/platform-budgets.js';
import { ClaimFailures } from '../../infrastructure/readiness/claim-failures.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

const ANSWER_WITHIN_MS = 1_000;

/** Metrics of this process's executions and of its requests to platforms. */
@Injectable()
export class ScrapingMetrics {
  /** Executions running in this process. */
  readonly running: Gauge;
  /** Executions that ended because another worker took over the job. */
  readonly leasesLost: Counter;
  private readonly batches: Histogram;
  private readonly rows: Counter<'table'>;

  constructor({ registry }: MetricsRegistry, budgets: PlatformBudgets, claimFailures: ClaimFailures) {
    const registers = [registry];
    this.running = new Gauge({
      name: 'wss_executions_running',
      help: 'Executions of jobs in this process',
      registers,
    });
    this.leasesLost = new Counter({
      name: 'wss_leases_lost_total',
      help: 'Executions that ended because another worker took over the job',
      registers,
    });
    new Gauge({
      name: 'wss_job_claims_failing_seconds',
      help: 'Time for which this process has not been able to claim jobs; 0 while it can',
      registers,
      collect() {
        this.set(claimFailures.current()?.seconds ?? 0);
      },
    });
    this.batches = new Histogram({
      name: 'wss_batch_write_duration_seconds',
      help: 'Duration of the transaction that stores a batch, including retries',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.rows = new Counter({
      name: 'wss_rows_written_total',
      help: 'Rows inserted or updated by batches, by table',
      labelNames: ['table'],
      registers,
    });
    for (const metric of platformMetrics) registry.registerMetric(metric);
    new Gauge({
      name: 'wss_platform_budget_remaining',
      help: 'Requests that all processes together may send to a source now; absent while Redis is unavailable',
      labelNames: ['source'],
      registers,
      async collect() {
        this.reset();
        const states = await withTimeout(budgets.states(), ANSWER_WITHIN_MS, 'no answer in time').catch(
          () => [],
        );
        for (const { source, remaining } of states) this.set({ source }, remaining);
      },
    });
  }

  /** Counts a committed batch of rows of a table. `startedAt` is a time of `performance.now()`. */
  batchWritten(table: 'posts' | 'comments', rows: number, startedAt: number): void {
    this.batches.observe((performance.now() - startedAt) / 1_000);
    this.rows.inc({ table }, rows);
  }

  /** Counts a stored media file. */
  mediaWritten(): void {
    this.rows.inc({ table: 'media_files' });
  }
}
