import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { endProcess } from './ending.js';

/**
 * Runs as a process of its own and outlives a parent that is killed outright. Standard input is a pipe that only the
 * parent holds: each line names what must not outlive it, and the end of the pipe means that the parent is gone.
 */
const order = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('watch'),
    pid: z.number().int(),
    startedAt: z.string(),
    /** Lower ends first; equals end together. */
    rank: z.number().int(),
    steps: z.array(z.object({ signal: z.string(), waitMs: z.number() })),
  }),
  z.object({ do: z.literal('forget'), pid: z.number().int() }),
  z.object({ do: z.literal('remove'), folder: z.string() }),
]);
export type WatchdogOrder = z.infer<typeof order>;
type Watched = Extract<WatchdogOrder, { do: 'watch' }>;

/** The groups to end, one after the other. */
export function endingOrder<T extends { rank: number }>(watched: Iterable<T>): T[][] {
  const byRank = new Map<number, T[]>();
  for (const one of watched) byRank.set(one.rank, [...(byRank.get(one.rank) ?? []), one]);
  return [...byRank].sort(([a], [b]) => a - b).map(([, group]) => group);
}

async function keepWatch(): Promise<void> {
  // Only the end of the pipe ends the watch; a signal meant for the whole service must not leave its servers alone.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
  const watched = new Map<number, Watched>();
  const folders = new Set<string>();
  for await (const line of createInterface({ input: process.stdin })) {
    const next = order.parse(JSON.parse(line));
    if (next.do === 'watch') watched.set(next.pid, next);
    else if (next.do === 'forget') watched.delete(next.pid);
    else folders.add(next.folder);
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
}

if (process.argv[1] === import.meta.filename) await keepWatch();
