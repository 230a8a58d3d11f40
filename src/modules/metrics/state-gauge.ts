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
 * Registers a gauge that is read whenever the metrics are. Every process shows the same number: use `max`, not `sum`. It is
 * absent while its source does not answer within a second; a slow read is not repeated before it has ended.
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

/** Registers the gauges of a backlog's size and of its oldest entry's age as {@link registerStateGauge} does, with one read for both. */
export function registerBacklogGauges(
  registry: Registry,
  gauges: { count: GaugeText; oldest: GaugeText },
  read: () => Promise<Backlog>,
): void {
  const readOnce = shared(read);
  registerStateGauge(registry, gauges.count, async () => (await readOnce()).count);
  registerStateGauge(registry, gauges.oldest, async () => (await readOnce()).oldestSeconds);
}

/** Callers during one read share its result. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}
