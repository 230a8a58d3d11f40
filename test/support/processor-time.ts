import { existsSync, readFileSync } from 'node:fs';

/** Nanoseconds that the first thread of this process has run, and more, as Linux gives them. */
const MAIN_THREAD = '/proc/self/schedstat';
/** What no one wakes; a wait for it lets the system add what the thread has run so far, and not only at its next tick. */
const NOTHING = new Int32Array(new SharedArrayBuffer(4));
const WAIT_MS = 0.05;
const REPETITIONS = 5;
const ROWS = Array.from({ length: 10_000 }, (_, id) => ({ id, text: 'solar battery '.repeat(8) }));

/**
 * The processor time of the thread of the event loop, in ms: other processes may use the machine, and other threads of
 * this one compile, collect garbage and compress. Where the system does not give it (only Linux does), that of all
 * threads.
 */
export function computedMs(): number {
  if (existsSync(MAIN_THREAD)) {
    Atomics.wait(NOTHING, 0, 0, WAIT_MS);
    return Number(readFileSync(MAIN_THREAD, 'utf8').split(' ')[0]) / 1_000_000;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The processor time in which this machine, as busy as it is, writes and parses a megabyte of JSON: a unit for others. */
export function msPerMegabyte(): number {
  const times = Array.from({ length: REPETITIONS }, () => {
    const before = computedMs();
    const text = JSON.stringify(ROWS);
    JSON.parse(text);
    return ((computedMs() - before) * 1_000_000) / text.length;
  });
  return times.sort((a, b) => a - b)[Math.floor(REPETITIONS / 2)]!;
}
