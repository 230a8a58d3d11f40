import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../../common/timeout.js';
import type { Backlog } from '../../database/backlog.js';

const ANSWER_WITHIN_MS = 1_000;

/** Name and description of a gauge. */
export interface GaugeText {
  name: string;
  help: string;
}

/**
 * Registers a gauge that is read on every scrape. Every process reports the same number, so aggregate with `max`, not
 * `sum`. The gauge is absent when its source does not respond within a second; a slow read is not started a second time
 * before it has finished.
 */
export function registerStateGauge(
  registry: Registry,
  { name, help }: GaugeText,
  read: () => Promise<number>,
): void {
  const readOnce = shared(read);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await withTimeout(readOnce(), ANSWER_WITHIN_MS, 'no answer in time').catch(() => null);
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/**
 * Registers gauges for a backlog's size and its oldest entry's age, like {@link registerStateGauge}, with one read for
 * both.
 */
export function registerBacklogGauges(
  registry: Registry,
  gauges: { count: GaugeText; oldest: GaugeText },
  read: () => Promise<Backlog>,
): void {
  const readOnce = shared(read);
  registerStateGauge(registry, gauges.count, async () => (await readOnce()).count);
  registerStateGauge(registry, gauges.oldest, async () => (await readOnce()).oldestSeconds);
}

/** Concurrent callers share the result of one read. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}
