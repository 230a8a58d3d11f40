import { readRecord, type SearchedTexts } from './record.js';

/** Bytes of lexemes and places of a value, below Postgres' limit of 1 MB; further lexemes are not stored. */
const MAX_BYTES = 1_000_000;
const COUNT_BYTES = 4;
/** End of the text, number of places. */
const LEXEME_BYTES = 3;

let room = Buffer.allocUnsafe(1 << 16);

/** The `tsvector` of a record in Postgres' binary format: lexemes with their places, those of the title labelled A. */
export function searchValue(texts: SearchedTexts, language: string): Buffer {
  const lexemes = readRecord(texts, language);
  let at = COUNT_BYTES;
  let count = 0;
  for (const { bytes, places, count: occurrences } of lexemes) {
    const end = at + bytes.length + LEXEME_BYTES + 2 * occurrences;
    if (end > MAX_BYTES) break;
    if (end > room.length) room = Buffer.concat([room], room.length * 4);
    if (bytes.length < 16)
      for (let index = 0; index < bytes.length; index += 1) room[at + index] = bytes[index]!;
    else room.set(bytes, at);
    at += bytes.length;
    room[at] = 0;
    room[at + 1] = 0;
    room[at + 2] = occurrences;
    at += LEXEME_BYTES;
    for (let index = 0; index < occurrences; index += 1) {
      const place = places[index]!;
      room[at] = place >>> 8;
      room[at + 1] = place;
      at += 2;
    }
    count += 1;
  }
  room.writeInt32BE(count, 0);
  return Buffer.from(room.subarray(0, at));
}
