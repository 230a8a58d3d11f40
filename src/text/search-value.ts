import { detectLanguage } from './language/detect-language.js';
import type { SearchedTexts } from './reading.js';
import { POSITION_BITS, readRecord, TITLE } from './record.js';
import { SCANNER } from './scanner.js';

/** Bytes of lexemes and places of a value, below Postgres' limit of 1 MB; further lexemes are not stored. */
const MAX_BYTES = 1_000_000;
/** Bytes of a lexeme's entry besides its text and places. */
const ENTRY_BYTES = 8;
/** Bytes of a written lexeme besides its text and places, and of a written place with its label and comma. */
const WRITTEN_BYTES = 4;
const PLACE_BYTES = 7;
const [SPACE, QUOTE, COLON, COMMA, ZERO, A] = Buffer.from(" ':,0A") as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const LAST_ASCII = 0x7f;

/** Reused by every value. */
let written = Buffer.allocUnsafe(1 << 16);

/** The `tsvector` of a record as Postgres reads it: lexemes with their places, those of the title labelled A. */
export function searchValue(
  texts: SearchedTexts,
  language = detectLanguage(`${texts.title}\n${texts.text}`),
): string {
  const record = readRecord(texts, language);
  const { bytes, starts } = SCANNER.terms.lexemes;
  let units = 0;
  let size = 0;
  let at = 0;
  for (let number = 0; number < record.count; number += 1) {
    const id = record.ids[number]!;
    const end = starts[id + 1]!;
    const count = record.counts[number]!;
    let from = starts[id]!;
    size += end - from + ENTRY_BYTES + 2 * count;
    if (size > MAX_BYTES) break;
    const needed = at + end - from + WRITTEN_BYTES + PLACE_BYTES * count;
    if (written.length < needed) written = Buffer.concat([written], 2 * needed);
    if (number > 0) written[at++] = SPACE;
    written[at++] = QUOTE;
    for (; from < end; from += 1) {
      units |= bytes[from]!;
      written[at++] = bytes[from]!;
    }
    written[at++] = QUOTE;
    let separator = COLON;
    for (let index = record.firsts[number]!; index >= 0; index = record.nexts[index]!) {
      const place = record.places[index]!;
      written[at++] = separator;
      at = writeNumber(place & POSITION_BITS, at);
      if ((place & TITLE) !== 0) written[at++] = A;
      separator = COMMA;
    }
  }
  return written.toString(units > LAST_ASCII ? 'utf8' : 'latin1', 0, at);
}

/** Writes a number of at most five digits; returns the place after it. */
function writeNumber(value: number, at: number): number {
  const end = at + (value < 10 ? 1 : value < 100 ? 2 : value < 1_000 ? 3 : value < 10_000 ? 4 : 5);
  for (let place = end - 1; place >= at; place -= 1) {
    written[place] = ZERO + (value % 10);
    value = (value / 10) | 0;
  }
  return end;
}
