import { useSyncExternalStore } from 'react';
import { formatExact, formatRelative } from '../format.ts';

const every =
  (milliseconds: number) =>
  (listener: () => void): (() => void) => {
    const timer = setInterval(listener, milliseconds);
    return () => clearInterval(timer);
  };
const everySecond = every(1_000);
const everyHalfMinute = every(30_000);

/**
 * A relative time, with the exact time on hover. A future time is counted down, and replaced by `due` when it has
 * passed.
 */
export function Time({ at, due }: { at: string; due?: string }) {
  const time = new Date(at);
  const text = useSyncExternalStore(due === undefined ? everyHalfMinute : everySecond, () =>
    due !== undefined && time.getTime() <= Date.now() ? due : formatRelative(time),
  );
  return (
    <time dateTime={at} title={formatExact(time)}>
      {text}
    </time>
  );
}
