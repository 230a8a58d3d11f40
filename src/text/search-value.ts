import { detectLanguage } from './language/detect-language.js';
import type { SearchedTexts } from './reading.js';
import { POSITION_BITS, readRecord, TITLE } from './record.js';

/** Bytes of lexemes and places of a value, below Postgres' limit of 1 MB; further lexemes are not stored. */
const MAX_BYTES = 1_000_000;
/** Bytes of a lexeme's entry besides its text and places. */
const ENTRY_BYTES = 8;

/** The `tsvector` of a record as Postgres reads it: lexemes with their places, those of the title labelled A. */
export function searchValue(
  texts: SearchedTexts,
  language = detectLanguage(`${texts.title}\n${texts.text}`),
): string {
  const values: string[] = [];
  let size = 0;
  for (const { text, bytes, places, count } of readRecord(texts, language)) {
    size += bytes.length + ENTRY_BYTES + 2 * count;
    if (size > MAX_BYTES) break;
    let value = `'${text}':`;
    for (let index = 0; index < count; index += 1) {
      const place = places[index]!;
      if (index > 0) value += ',';
      value += place & POSITION_BITS;
      if ((place & TITLE) !== 0) value += 'A';
    }
    values.push(value);
  }
  return values.join(' ');
}
