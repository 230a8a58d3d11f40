import { type MailThread, type Threaded, threadsOf } from './mail-threads.js';

/** A reply belongs to a thread that has a message in one of so many volumes before its own, or in its own. */
export const REACH = 3;
/** Volumes before a page that are read for the beginnings of its threads. */
export const MAX_BACK = 36;

/** A thread, and the volumes of its first and its last message: 0 is the newest volume of the archive. */
export interface PlacedThread<T> {
  thread: MailThread<T>;
  first: number;
  last: number;
}

/** The threads of some volumes, latest activity first. A message that is in two of them counts in the older one. */
export function threadsIn<T extends Threaded>(volumes: ReadonlyMap<number, readonly T[]>): PlacedThread<T>[] {
  const volumeOf = new Map<string, number>();
  const newestFirst = [...volumes].sort(([a], [b]) => a - b);
  for (const [volume, messages] of newestFirst) for (const { id } of messages) volumeOf.set(id, volume);
  return threadsOf(newestFirst.flatMap(([, messages]) => messages))
    .map((thread) => {
      const first = volumeOf.get(thread.root.id)!;
      const last = thread.replies.reduce(
        (newest, { message }) => Math.min(newest, volumeOf.get(message.id)!),
        first,
      );
      return { thread, first, last, time: activityOf(thread) };
    })
    .sort((a, b) => b.time - a.time)
    .map(({ thread, first, last }) => ({ thread, first, last }));
}

/** When the latest message of a thread was sent; epoch milliseconds, 0 where unknown. */
export function activityOf<T extends Threaded>({ root, replies }: MailThread<T>): number {
  return replies.reduce((latest, { message }) => Math.max(latest, message.time ?? 0), root.time ?? 0);
}

/**
 * The oldest volume that must be known for the beginnings of threads: so far before each message that answers an
 * unknown one as a reply reaches.
 */
export function neededFor<T extends Threaded>(threads: readonly PlacedThread<T>[]): number {
  return threads.reduce(
    (oldest, { thread: { root }, first }) =>
      Math.max(oldest, root.parents.length > 0 ? first + REACH : first),
    0,
  );
}
