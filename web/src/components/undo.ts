import { useMemo, useSyncExternalStore } from 'react';

const UNDO_MS = 10_000;

/** A deletion that is shown as done and sent only when it can no longer be taken back. */
export interface Deletion {
  key: number;
  /** The ids of the records that are no longer shown. */
  ids: readonly string[];
  /** What is deleted, in words. */
  text: string;
  run: () => Promise<unknown>;
  /** Why it was refused; the records are then shown again. */
  error: Error | null;
  isSent: boolean;
}

let deletions: readonly Deletion[] = [];
let lastKey = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function show(next: readonly Deletion[]): void {
  deletions = next;
  listeners.forEach((listener) => listener());
}
const change = (key: number, changes: Partial<Deletion>): void =>
  show(deletions.map((one) => (one.key === key ? { ...one, ...changes } : one)));
const forget = (key: number): void => show(deletions.filter((one) => one.key !== key));

async function send(key: number): Promise<void> {
  clearTimeout(timers.get(key));
  if (!timers.delete(key)) return;
  change(key, { isSent: true });
  try {
    await deletions.find((one) => one.key === key)?.run();
    forget(key);
  } catch (error) {
    change(key, { error: error as Error });
    setTimeout(() => forget(key), UNDO_MS);
  }
}

/** Deletes records in ten seconds, unless that is taken back; at once when the page is left. */
export function deleteLater({ ids, text, run }: Pick<Deletion, 'ids' | 'text' | 'run'>): void {
  const key = (lastKey += 1);
  show([...deletions, { key, ids, text, run, error: null, isSent: false }]);
  timers.set(
    key,
    setTimeout(() => void send(key), UNDO_MS),
  );
  // The button that was pressed disappears with its record.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true }));
}

/** Takes back a deletion that was not sent. */
export function undoDeletion(key: number): void {
  clearTimeout(timers.get(key));
  if (timers.delete(key)) forget(key);
}

/** Sends what waits to be deleted, before the session ends. */
export const sendDeletions = (): Promise<unknown> => Promise.all([...timers.keys()].map(send));

addEventListener('pagehide', () => void sendDeletions());

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The deletions that can be taken back or were refused. */
export const useDeletions = (): readonly Deletion[] => useSyncExternalStore(subscribe, () => deletions);

/** The ids of records that are shown as deleted. */
export function useDeletedIds(): ReadonlySet<string> {
  const all = useDeletions();
  return useMemo(() => new Set(all.filter(({ error }) => error === null).flatMap(({ ids }) => ids)), [all]);
}
