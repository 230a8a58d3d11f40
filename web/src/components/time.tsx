import { useSyncExternalStore } from 'react';
import { formatExact, formatRelative } from '../format.ts';

const TICK_MS = 30_000;
let now = Date.now();

function everyTick(listener: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    listener();
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** A time as the reader says it, with the exact instant on hover. */
export function Time({ at }: { at: string }) {
  useSyncExternalStore(everyTick, () => now);
  const time = new Date(at);
  return (
    <time dateTime={at} title={formatExact(time)}>
      {formatRelative(time)}
    </time>
  );
}
