import { POSITION_BITS, TITLE } from '../../text/record.js';
import type { TextField } from '../query/query-tree.js';
import { merged, nearStarts, phraseStarts, placeIn, type Places, positionIn } from './word-places.js';

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
  /** By word: the numbers of these places in a field, for all the phrases that have the word. */
  private readonly numbers: Partial<Record<TextField | 'any', Places>>[] = [];

  /** Forgets the record before. */
  clear(): void {
    this.round += 1;
  }

  /** Adds the ascending places of a lexeme of the record that finds a word. */
  add(word: number, places: readonly number[]): void {
    this.numbers[word] = {};
    if (this.rounds[word] === this.round) this.places[word]!.push(places);
    else {
      this.rounds[word] = this.round;
      this.places[word] = [places];
    }
  }

  /** Position of the last word of the phrase where it first ends; -1 when it does not occur. */
  endOf({ words, positions, field }: NumberedPhrase): number {
    const places = words.map((word) => this.placesOf(word, field));
    const [start] = phraseStarts(places, positions);
    return start === undefined ? NONE : positionIn(start) + positions.at(-1)!;
  }

  /** Whether every word occurs within `distance` positions, in any order, all in the title or all in the text. */
  isNear({ words, distance, field }: NumberedNear): boolean {
    const places = words.map((word) => this.placesOf(word, field));
    return nearStarts(places, distance).length > 0;
  }

  private placesOf(word: number, field: TextField | null): Places {
    const isIn = (place: number): boolean => isInTitle(place) === (field === 'title');
    return (this.numbers[word]![field ?? 'any'] ??= merged(
      this.places[word]!.map((all) => (field === null ? all : all.filter(isIn)).map(numberOf)),
    ));
  }
}

const isInTitle = (place: number): boolean => (place & TITLE) !== 0;
const numberOf = (place: number): number => placeIn(place & POSITION_BITS, isInTitle(place));
