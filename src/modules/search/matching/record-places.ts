import { POSITION_BITS, TITLE } from '../../../text/record.js';
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
  /** By word: the places of each lexeme of the record that finds it. */
  private readonly places: (readonly number[])[][] = [];

  /** Forgets the record before. */
  clear(): void {
    this.round += 1;
  }

  /** Adds the ascending places of a lexeme of the record that finds a word. */
  add(word: number, places: readonly number[]): void {
    if (this.rounds[word] === this.round) this.places[word]!.push(places);
    else {
      this.rounds[word] = this.round;
      this.places[word] = [places];
    }
  }

  /** Position of the last word of the phrase where it first ends; -1 when it does not occur. */
  endOf({ words, positions, field }: NumberedPhrase): number {
    const length = positions.at(-1)!;
    let end = NONE;
    for (const places of this.places[words[0]!]!)
      for (const place of places) {
        const last = (place & POSITION_BITS) + length;
        if (end !== NONE && last >= end) break;
        if (isIn(place, field) && this.continues(words, positions, place & POSITION_BITS)) end = last;
      }
    return end;
  }

  /** Whether every word occurs within `distance` positions, in any order, all in the title or all in the text. */
  isNear({ words, distance, field }: NumberedNear): boolean {
    return words.some((first) =>
      this.places[first]!.some((places) =>
        places.some(
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
    return this.places[word]!.some((places) => places.some((place) => (place & POSITION_BITS) === position));
  }

  /** Whether a word occurs at most `distance` positions after a place, in the same part of the record. */
  private occursAfter(word: number, place: number, distance: number): boolean {
    // Places of one part differ as their positions do.
    return this.places[word]!.some((places) =>
      places.some((other) => other >= place && other - place <= distance),
    );
  }
}

const isIn = (place: number, field: TextField | null): boolean =>
  field === null || ((place & TITLE) !== 0) === (field === 'title');
