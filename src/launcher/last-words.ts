/** Levels of Postgres after which the server, or its start, ends. */
const FATAL = /\b(?:FATAL|PANIC): +(.+)/g;
const DISK_FULL = /No space left on device|Disk quota exceeded/;

/** The last fatal message in the end of a log of Postgres, with its file, and the remedy of a full disk; null without one. */
export function lastWordsOf(log: string, file: string): string | null {
  const last = [...log.matchAll(FATAL)].at(-1)?.[1];
  const isDiskFull = DISK_FULL.test(log);
  if (last === undefined && !isDiskFull) return null;
  const remedy = isDiskFull ? ['the disk is full: free space, then start again'] : [];
  return [...remedy, ...(last === undefined ? [] : [last]), `see ${file}`].join('; ');
}
