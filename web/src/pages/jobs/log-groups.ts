import type { Schemas } from '../../api/client.ts';

export type LogEntry = Schemas['JobLogEntryDto'];

const RETRY = 'request_repeated';

/** Entries that are shown as one line, in order; more than one only for retries that follow each other. */
export function groupRetries(entries: readonly LogEntry[]): LogEntry[][] {
  const groups: LogEntry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (entry.event === RETRY && last?.[0]?.event === RETRY) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}
