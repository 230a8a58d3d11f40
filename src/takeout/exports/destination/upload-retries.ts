import type { DeliveryOutcome } from '../../../messages/channels/channel.js';

/** Waits after failures of one file; a store that fails longer fails the export. */
const WAITS_MS = [1_000, 10_000, 60_000, 300_000];
/** Answers of 4xx that may pass. */
const PASSING = [408, 429];

/** Milliseconds until a file is sent again after a number of failures; null when that is of no use, or enough. */
export function retryWait(
  { permanent, responseCode, retryAfterMs = 0 }: DeliveryOutcome,
  failures: number,
): number | null {
  const isRefused =
    responseCode !== null && responseCode >= 300 && responseCode < 500 && !PASSING.includes(responseCode);
  const waitMs = WAITS_MS[failures - 1];
  if (permanent || isRefused || waitMs === undefined) return null;
  return Math.max(waitMs, Math.min(retryAfterMs, WAITS_MS.at(-1)!));
}
