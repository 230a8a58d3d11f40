import { LRUCache } from 'lru-cache';
import { SCANNER } from './scanner.js';
import type { Term } from './term-table.js';

/** The texts of a record in which words are found. */
export interface SearchedTexts {
  /** Empty for records without a title. */
  title: string;
  text: string;
}

let readings = 0;

/** The distinct terms of a record's texts. */
export class Reading {
  readonly terms: Term[] = [];
  /** By term: its number, valid in this {@link generation} of the scanner's table. */
  readonly ids: number[] = [];
  /** By term: where it occurs first among the positions of the scanner. */
  readonly positions: number[] = [];
  generation = -1;
  private readonly number = (readings += 1);

  constructor(readonly title: string) {}

  /** Adds what the scanner read last; false when its table started anew since the title was added. */
  addTokens(): boolean {
    const { count, terms, positions } = SCANNER.tokens;
    if (this.terms.length > 0 && this.generation !== SCANNER.terms.generation) return false;
    this.generation = SCANNER.terms.generation;
    for (let token = 0; token < count; token += 1) {
      const term = terms[token]!;
      if (term.reading === this.number) continue;
      term.reading = this.number;
      this.terms.push(term);
      this.ids.push(term.id);
      this.positions.push(positions[token]!);
    }
    return true;
  }
}

/** Of the last batches, by text: what is stored is searched by the words that alerts read right after. */
const RECENT = new LRUCache<string, Reading>({
  max: 4_096,
  maxSize: 2_000_000,
  sizeCalculation: ({ title }, text) => title.length + text.length + 1,
});

/** Keeps a reading for {@link readingOf}. */
export function rememberReading(text: string, reading: Reading): void {
  RECENT.set(text, reading);
}

/** The distinct terms of a record, read anew unless they were read shortly before. Valid until the next reading. */
export function readingOf({ title, text }: SearchedTexts): Reading {
  const known = RECENT.get(text);
  if (known?.title === title && known.generation === SCANNER.terms.generation) return known;
  // The table of terms can start anew between title and text, and then has room for both.
  return scanned(title, text) ?? scanned(title, text)!;
}

function scanned(title: string, text: string): Reading | null {
  const reading = new Reading(title);
  const next = title === '' ? 1 : SCANNER.scan(title);
  if (title !== '') reading.addTokens();
  SCANNER.scan(text, next);
  return reading.addTokens() ? reading : null;
}
