import { until } from './measure.js';
import { query } from './query.js';

/** With fewer changed rows than this, no segment is built and they are read from the table. */
const BUILT_BELOW = 1_000;
const TIMEOUT_MS = 1_800_000;
const INTERVAL_MS = 500;

/** Waits until segments contain all but a few rows; returns how many seconds that took. */
export async function waitForSegments(databaseUrl: string): Promise<number> {
  const began = performance.now();
  const changedRows = async (): Promise<number> => {
    const [left] = await query<{ changed: number }>(
      databaseUrl,
      'SELECT coalesce(sum(row_count), 0)::int AS changed FROM search_changes',
    );
    return left!.changed;
  };
  await until(changedRows, (changed) => changed < BUILT_BELOW, TIMEOUT_MS, INTERVAL_MS);
  return Math.round((performance.now() - began) / 1_000);
}
