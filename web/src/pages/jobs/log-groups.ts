import type { Schemas } from '../../api/client.ts';

export type LogEntry = Schemas['JobLogEntryDto'];

const RETRY = 'request_repeated';

/** Whether an entry is a retry; retries that follow each other are one line, whatever they say. */
export const isRetry = ({ event }: LogEntry): boolean => event === RETRY;

const isSame = (one: LogEntry, other: LogEntry): boolean =>
  isRetry(one) ? isRetry(other) : one.level === 'warn' && one.message === other.message;

/** Entries that are shown as one line, in order; more than one for retries and equal warnings that follow each other. */
export function groupEntries(entries: readonly LogEntry[]): LogEntry[][] {
  const groups: LogEntry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last !== undefined && isSame(entry, last[0]!)) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** The entries that contain a text, in any case, and are warnings if only those are wanted; in order. */
export function findEntries(
  entries: readonly LogEntry[],
  text: string,
  onlyWarnings: boolean,
): readonly LogEntry[] {
  const wanted = text.trim().toLowerCase();
  return entries.filter(
    ({ message, level }) => (!onlyWarnings || level === 'warn') && message.toLowerCase().includes(wanted),
  );
}
