import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

/** `kept`: an answer that was kept; `left_out`: not called, because of the quota or after failures. */
type ReadingOutcome = 'yes' | 'no' | 'unclear' | 'failed' | 'kept' | 'left_out';

/** Counts second readings for Prometheus. */
@Injectable()
export class ReadingMetrics {
  private readonly readings: Counter<'outcome'>;

  constructor({ registry }: MetricsRegistry) {
    this.readings = new Counter({
      name: 'wss_second_readings_total',
      help: 'Second readings of matches by outcome: yes, no, unclear, failed, kept or left_out',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  count(outcome: ReadingOutcome): void {
    this.readings.inc({ outcome });
  }
}
