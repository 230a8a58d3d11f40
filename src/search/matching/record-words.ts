import { LRUCache } from 'lru-cache';
import { type Reading, readingOf } from '../../text/reading.js';
import { languageToStem, readRecord } from '../../text/record.js';
import { SCANNER } from '../../text/scanner.js';
import { hasDefaultStems } from '../../text/stems.js';
import { MAX_TERMS } from '../../text/term-table.js';
import type { MatchedRecord } from './matched-record.js';
import { type NumberedNear, type NumberedPhrase, RecordPlaces } from './record-places.js';
import type { WordNumbers } from './word-numbers.js';

const UNKNOWN = 0;
const NO_WORD = 1;
/** Added to the number of a term's only word. */
const ONE_WORD = 2;

/** A matcher's knowledge of the scanner's terms, in texts of the default languages. */
interface KnownTerms {
  generation: number;
  /** By number of a term: its words, or -1 minus the index of a list of them. */
  entries: Int32Array;
  lists: (readonly number[])[];
}

/** Of the matchers that read last: each takes 256 kB, too much for every matcher of a process. */
const KNOWN = new LRUCache<symbol, KnownTerms>({ max: 16 });

/** The words of queries that one record has. Their places are read only when something depends on them. */
export class RecordWords {
  /** The words of the record, in the order in which they occur first: the first {@link count} of the list. */
  readonly found: number[] = [];
  count = 0;
  private record: MatchedRecord | null = null;
  private round = 0;
  /** By word: the record that had it last. */
  private readonly rounds: number[] = [];
  /** By word: its first position in that record. */
  private readonly firsts: number[] = [];
  private readonly places = new RecordPlaces();
  private arePlacesRead = false;
  private readonly owner = Symbol('known terms');

  constructor(private readonly numbers: WordNumbers) {}

  /** Reads a record, in place of the one before. */
  read(record: MatchedRecord): void {
    this.record = record;
    this.round += 1;
    this.count = 0;
    this.arePlacesRead = false;
    while (this.rounds.length < this.numbers.count) {
      this.rounds.push(0);
      this.firsts.push(0);
    }
    const { texts, language } = record;
    this.addTerms(
      readingOf(texts),
      languageToStem(language, texts.title.length + texts.text.length),
      hasDefaultStems(language) ? this.knownTerms() : null,
    );
  }

  /** Whether the record has a word. */
  has(word: number): boolean {
    return this.rounds[word] === this.round;
  }

  /** Where a word of the record occurs first. */
  firstPosition(word: number): number {
    return this.firsts[word]!;
  }

  /** Position of the last word of the phrase where it first ends; -1 when it does not occur. */
  endOf(phrase: NumberedPhrase): number {
    return this.hasAll(phrase.words) ? this.readPlaces().endOf(phrase) : -1;
  }

  /** Whether words occur near one another. */
  isNear(near: NumberedNear): boolean {
    return this.hasAll(near.words) && this.readPlaces().isNear(near);
  }

  private hasAll(words: readonly number[]): boolean {
    for (const word of words) if (!this.has(word)) return false;
    return true;
  }

  private readPlaces(): RecordPlaces {
    if (this.arePlacesRead) return this.places;
    this.arePlacesRead = true;
    const { texts, language } = this.record!;
    this.places.clear();
    const record = readRecord(texts, language);
    for (let number = 0; number < record.count; number += 1)
      this.numbers.find(record.text(number), (word) => this.places.add(word, record.placesOf(number)));
    return this.places;
  }

  private addTerms(reading: Reading, language: string, known: KnownTerms | null): void {
    const { terms, positions, start, end } = reading;
    const { generation } = SCANNER.terms;
    if (known !== null && known.generation !== generation) {
      known.generation = generation;
      known.entries.fill(UNKNOWN);
      known.lists = [];
    }
    for (let at = start; at < end; at += 1) {
      const term = terms[at]!;
      const entry = known === null ? UNKNOWN : known.entries[term];
      if (entry === NO_WORD) continue;
      const position = positions[at]!;
      if (entry! >= ONE_WORD) this.add(entry! - ONE_WORD, position);
      else if (entry! < UNKNOWN) for (const word of known!.lists[-entry! - 1]!) this.add(word, position);
      else for (const word of this.wordsOf(term, language, known)) this.add(word, position);
    }
  }

  private knownTerms(): KnownTerms {
    const known = KNOWN.get(this.owner);
    if (known !== undefined) return known;
    const { generation } = SCANNER.terms;
    const created: KnownTerms = { generation, entries: new Int32Array(MAX_TERMS), lists: [] };
    KNOWN.set(this.owner, created);
    return created;
  }

  /** Looks the words of a term up. Terms beyond the room of the table are not entered. */
  private wordsOf(term: number, language: string, known: KnownTerms | null): readonly number[] {
    const words = new Set<number>();
    for (const text of SCANNER.terms.lexemes.textsOf(term, language))
      this.numbers.find(text, (word) => words.add(word));
    const list = [...words];
    if (known === null || term >= MAX_TERMS) return list;
    if (list.length === 0) known.entries[term] = NO_WORD;
    else if (list.length === 1) known.entries[term] = ONE_WORD + list[0]!;
    else known.entries[term] = -known.lists.push(list);
    return list;
  }

  private add(word: number, position: number): void {
    if (this.rounds[word] === this.round) {
      // A joined spelling follows the words after it.
      if (position < this.firsts[word]!) this.firsts[word] = position;
      return;
    }
    this.rounds[word] = this.round;
    this.firsts[word] = position;
    this.found[this.count] = word;
    this.count += 1;
  }
}
