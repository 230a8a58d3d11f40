import type { Query, QueryClient } from '@tanstack/react-query';
import type { Schemas } from './client.ts';
import type { keys } from './keys.ts';

type Job = Schemas['JobDto'];

const but = (...kept: unknown[]) => ({
  predicate: ({ queryKey }: Query) => !kept.includes(queryKey[0]),
});

/** Writes the record of an event into the cache, where its settings, which events do not hold, stay as they are. */
export function keepRecord(
  client: QueryClient,
  key: ReturnType<typeof keys.job>,
  record: Job,
  isLast: boolean,
): void {
  client.setQueryData<Job>(key, (before) => ({ ...before, ...record }));
  if (isLast) {
    // Reloads counts and lists that the job has changed, and its record: an answer under way may be older.
    void client.invalidateQueries(but('session'));
    return;
  }
  // Data cached by other pages is now older than this record, and is reloaded when they are opened.
  void client.invalidateQueries({ ...but('session', 'job'), refetchType: 'none' });
}
