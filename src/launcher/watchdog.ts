import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { endProcess } from './end-process.js';
import { KernelLock, type KernelLockState } from './kernel-lock.js';

/**
 * Runs as a separate process and outlives a parent that is killed. Standard input is a pipe from the parent only: each
 * line is an order, and the end of the pipe means that the parent has ended. The watchdog then ends the watched
 * processes, removes the folders and finally frees the locks.
 */
const order = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('watch'),
    pid: z.number().int(),
    startedAt: z.string(),
    /** Lower ranks end first; equal ranks end together. */
    rank: z.number().int(),
    steps: z.array(z.object({ signal: z.string(), waitMs: z.number() })),
  }),
  z.object({ do: z.literal('forget'), pid: z.number().int() }),
  z.object({ do: z.literal('remove'), folder: z.string() }),
  z.object({ do: z.literal('lock'), file: z.string(), waitMs: z.number() }),
  z.object({ do: z.literal('unlock'), file: z.string() }),
]);
/** One line on the watchdog's standard input. */
export type WatchdogOrder = z.infer<typeof order>;
type Watched = Extract<WatchdogOrder, { do: 'watch' }>;

/** One line on the watchdog's standard output, the response to `lock` and `unlock`. */
export const watchdogAnswer = z.object({
  file: z.string(),
  state: z.enum(['held', 'taken', 'unavailable', 'free']),
});
export type WatchdogAnswer = z.infer<typeof watchdogAnswer>;

/** Groups the watched processes by rank, in the order in which they are ended. */
export function endingOrder<T extends { rank: number }>(watched: Iterable<T>): T[][] {
  const byRank = new Map<number, T[]>();
  for (const one of watched) byRank.set(one.rank, [...(byRank.get(one.rank) ?? []), one]);
  return [...byRank].sort(([a], [b]) => a - b).map(([, group]) => group);
}

async function keepWatch(): Promise<void> {
  // Only the end of the pipe ends the watchdog: a signal to the whole service must not leave its servers unattended.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
  // The parent may end before it has read a response.
  process.stdout.on('error', () => undefined);
  const watched = new Map<number, Watched>();
  const folders = new Set<string>();
  const locks = new Map<string, KernelLock>();
  for await (const line of createInterface({ input: process.stdin })) {
    const next = order.parse(JSON.parse(line));
    if (next.do === 'watch') watched.set(next.pid, next);
    else if (next.do === 'forget') watched.delete(next.pid);
    else if (next.do === 'remove') folders.add(next.folder);
    else if (next.do === 'lock') answer(next.file, await lock(next.file, next.waitMs, locks));
    else {
      await locks.get(next.file)?.release();
      locks.delete(next.file);
      answer(next.file, 'free');
    }
  }
  for (const group of endingOrder(watched.values()))
    await Promise.all(
      group.map((one) =>
        endProcess(
          one,
          one.steps.map((step) => ({ ...step, signal: step.signal as NodeJS.Signals })),
        ),
      ),
    );
  for (const folder of folders)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  for (const held of locks.values()) await held.release();
}

async function lock(file: string, waitMs: number, locks: Map<string, KernelLock>): Promise<KernelLockState> {
  const wanted = new KernelLock(file);
  const state = await wanted.acquire(waitMs);
  if (state === 'held') locks.set(file, wanted);
  return state;
}

function answer(file: string, state: WatchdogAnswer['state']): void {
  process.stdout.write(`${JSON.stringify({ file, state } satisfies WatchdogAnswer)}\n`);
}

if (process.argv[1] === import.meta.filename) await keepWatch();
