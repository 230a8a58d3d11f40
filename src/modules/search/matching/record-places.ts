import { POSITION_BITS, TITLE } from '../../../text/record.js';
import type { Lexeme } from '../../../text/term-table.js';
import type { TextField } from '../query/query-tree.js';

const NONE = -1;

/** Words side by side, by their numbers. */
export interface NumberedPhrase {
  words: readonly number[];
  positions: readonly number[];
  field: TextField | null;
}

/** Words in any order, by their numbers. */
export interface NumberedNear {
  words: readonly number[];
  distance: number;
  field: TextField | null;
}

/** The places of the words of queries in one record. Words that were not added must not be asked for. */
export class RecordPlaces {
  private round = 0;
  private readonly rounds: number[] = [];
  /** By word: the lexemes of the record that find it. */
  private readonly lexemes: Lexeme[][] = [];

  /** Forgets the record before. */
  clear(): void {
    this.round += 1;
  }

  /** Adds a lexeme of the record that finds a word. */
  add(word: number, lexeme: Lexeme): void {
    if (this.rounds[word] === this.round) this.lexemes[word]!.push(lexeme);
    else {
      this.rounds[word] = this.round;
      this.lexemes[word] = [lexeme];
    }
  }

  /** Position of the last word of the phrase where it first ends; -1 when it does not occur. */
  endOf({ words, positions, field }: NumberedPhrase): number {
    const length = positions.at(-1)!;
    let end = NONE;
    for (const { places, count } of this.lexemes[words[0]!]!)
      for (let index = 0; index < count; index += 1) {
        const place = places[index]!;
        const last = (place & POSITION_BITS) + length;
        if (end !== NONE && last >= end) break;
        if (isIn(place, field) && this.continues(words, positions, place & POSITION_BITS)) end = last;
      }
    return end;
  }

  /** Whether every word occurs within `distance` positions, in any order, all in the title or all in the text. */
  isNear({ words, distance, field }: NumberedNear): boolean {
    return words.some((first) =>
      this.lexemes[first]!.some(({ places, count }) =>
        places
          .slice(0, count)
          .some(
            (place) => isIn(place, field) && words.every((word) => this.occursAfter(word, place, distance)),
          ),
      ),
    );
  }

  private continues(words: readonly number[], positions: readonly number[], start: number): boolean {
    for (let index = 1; index < words.length; index += 1)
      if (!this.hasPosition(words[index]!, start + positions[index]!)) return false;
    return true;
  }

  private hasPosition(word: number, position: number): boolean {
    for (const { places, count } of this.lexemes[word]!)
      for (let index = 0; index < count; index += 1)
        if ((places[index]! & POSITION_BITS) === position) return true;
    return false;
  }

  /** Whether a word occurs at most `distance` positions after a place, in the same part of the record. */
  private occursAfter(word: number, place: number, distance: number): boolean {
    for (const { places, count } of this.lexemes[word]!)
      for (let index = 0; index < count; index += 1) {
        // Places of one part differ as their positions do.
        const after = places[index]! - place;
        if (after >= 0 && after <= distance) return true;
      }
    return false;
  }
}

const isIn = (place: number, field: TextField | null): boolean =>
  field === null || ((place & TITLE) !== 0) === (field === 'title');
