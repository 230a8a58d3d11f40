import { withRoom } from './lexeme-table.js';
import { SCANNER } from './scanner.js';

/** The texts of a record in which words are found. */
export interface SearchedTexts {
  /** Empty for records without a title. */
  title: string;
  text: string;
}

/** The words of a record in the order of the text: those of `terms` and `positions` from `start` up to `end`. */
export interface Reading {
  /** Numbers of terms in the scanner's table. */
  readonly terms: Int32Array;
  readonly positions: Int32Array;
  readonly start: number;
  readonly end: number;
}

/** Positions left free between title and text, so that no phrase spans both. */
const GAP = 8;
/** Bounds of what is kept for {@link readingOf}: words, texts and their characters. */
const ROOM = 1 << 18;
const MAX_TEXTS = 4_096;
const MAX_CHARACTERS = 2_000_000;

/** The words of the last batches, one record after the other, by text. What is stored is read by alerts right after. */
const recent = {
  terms: new Int32Array(ROOM),
  positions: new Int32Array(ROOM),
  end: 0,
  characters: 0,
  generation: SCANNER.terms.generation,
  byText: new Map<string, { title: string; start: number; end: number }>(),
};

/** Scans title and text of a record, and calls `read` after each of them, while the scanner has its tokens. */
export function scanRecord({ title, text }: SearchedTexts, read?: (isTitle: boolean) => void): Reading {
  const afterTitle = SCANNER.scan(title);
  makeRoom();
  const start = recent.end;
  keepTokens();
  read?.(true);
  SCANNER.scanNext(text, title === '' ? afterTitle : afterTitle + GAP);
  keepTokens();
  read?.(false);
  recent.characters += title.length + text.length;
  const { terms, positions, end } = recent;
  recent.byText.set(text, { title, start, end });
  return { terms, positions, start, end };
}

/** The words of a record, read again unless they were read shortly before. Valid until the next record is read. */
export function readingOf(texts: SearchedTexts): Reading {
  const { terms, positions, generation, byText } = recent;
  const known = generation === SCANNER.terms.generation ? byText.get(texts.text) : undefined;
  if (known === undefined || known.title !== texts.title) return scanRecord(texts);
  return { terms, positions, start: known.start, end: known.end };
}

function makeRoom(): void {
  const isFull = recent.end >= ROOM || recent.byText.size >= MAX_TEXTS || recent.characters >= MAX_CHARACTERS;
  if (!isFull && recent.generation === SCANNER.terms.generation) return;
  recent.end = 0;
  recent.characters = 0;
  recent.generation = SCANNER.terms.generation;
  recent.byText.clear();
}

/** Keeps what the scanner read last. */
function keepTokens(): void {
  const { count, ids, positions } = SCANNER.tokens;
  const { end } = recent;
  recent.terms = withRoom(recent.terms, end + count);
  recent.positions = withRoom(recent.positions, end + count);
  recent.terms.set(ids.subarray(0, count), end);
  recent.positions.set(positions.subarray(0, count), end);
  recent.end = end + count;
}
