import { MAX_CHARACTERS } from './text-reader.js';

/** The fields of a post or of a comment that relevance reads. */
export type ReadableRecord = { title: string; selftext: string } | { body: string };

/** The text of a post or comment by which its relevance is learned and known. Titles that repeat the text are left out. */
export function textOf(record: ReadableRecord): string {
  if ('body' in record) return record.body.slice(0, MAX_CHARACTERS);
  const { title, selftext } = record;
  const isRepeated = selftext !== '' && selftext.startsWith(title.replace(/…$/, ''));
  return (isRepeated ? selftext : `${title}\n${selftext}`.trimEnd()).slice(0, MAX_CHARACTERS);
}
