import { setTimeout as sleep } from 'node:timers/promises';
import { query } from './rows.js';

/** With fewer changed rows than this, no segment is built and they are read from the table. */
const BUILT_BELOW = 1_000;
const TIMEOUT_MS = 1_800_000;
const INTERVAL_MS = 500;

/** Waits until segments contain all but a few rows; returns how many seconds that took. */
export async function waitForSegments(databaseUrl: string): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < TIMEOUT_MS) {
    const [left] = await query<{ changed: number }>(
      databaseUrl,
      'SELECT coalesce(sum(row_count), 0)::int AS changed FROM search_changes',
    );
    if (left!.changed < BUILT_BELOW) return Math.round((performance.now() - began) / 1_000);
    await sleep(INTERVAL_MS);
  }
  throw new Error('Segments were not built in time');
}
