import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** The value that this share of the values is below; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The middle value; the higher one of two in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Median, 95th percentile and maximum of times in milliseconds, rounded. */
export function latencyOf(times: readonly number[]): { p50: number; p95: number; max: number } {
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => Math.round(quantile(times, share)));
  return { p50: p50!, p95: p95!, max: max! };
}

/** Rounds to a number of decimal places. */
export const rounded = (value: number, places = 2): number => Number(value.toFixed(places));

/** Seconds until `work` has ended. */
export async function secondsOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/**
 * Measures each in turn in every round, so that other load on the machine affects all alike; the values of each by
 * round, without those of the first `warmUp` rounds.
 */
export async function inTurns<K extends string>(
  rounds: number,
  measures: Record<K, () => number | Promise<number>>,
  warmUp = 0,
): Promise<Record<K, number[]>> {
  const entries = Object.entries(measures) as [K, () => number | Promise<number>][];
  const values = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < warmUp + rounds; round += 1)
    for (const [name, measure] of entries) {
      const value = await measure();
      if (round >= warmUp) values[name].push(value);
    }
  return values;
}

/** The median of the quotients of two values of the same round. */
export const medianRatio = (values: readonly number[], by: readonly number[]): number =>
  median(values.map((value, round) => value / by[round]!));

/** Milliseconds of each `ask`, started every `everyMs` whether or not the previous one has ended, until `work` ends. */
export async function timesDuring(
  everyMs: number,
  ask: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  let isOver = false;
  const ended = work().finally(() => (isOver = true));
  for (; !isOver; await sleep(everyMs))
    running.push(secondsOf(ask).then((seconds) => void times.push(seconds * 1_000)));
  await Promise.all([ended, ...running]);
  return times;
}

/** The result of `work`, and the highest value that was read while it ran. */
export async function peakDuring<T>(
  read: () => number | Promise<number>,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  let isOver = false;
  const watch = async (): Promise<number> => {
    let peak = 0;
    for (; !isOver; await sleep(20)) peak = Math.max(peak, await read());
    return peak;
  };
  const [result, peak] = await Promise.all([work().finally(() => (isOver = true)), watch()]);
  return { result, peak };
}

/** Reads until the value is as wanted and returns it; throws with the last value after the time limit. */
export async function until<T>(
  read: () => T | Promise<T>,
  isReached: (value: T) => boolean,
  timeoutMs: number,
  everyMs = 20,
): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(everyMs)) {
    const value = await read();
    if (isReached(value)) return value;
    if (performance.now() > deadline) throw new Error(`Not in time: ${inspect(value)}`);
  }
}
