import { POSITION_BITS, TITLE } from '../../../text/record.js';
import type { Lexeme } from '../../../text/term-table.js';
import type { TextField } from '../query/query-tree.js';

const NONE = -1;

/** Words side by side, each given by the numbers of its lexemes. */
export interface NumberedPhrase {
  slots: readonly (readonly number[])[];
  positions: readonly number[];
  field: TextField | null;
}

/** The lexemes of one record that queries name, by their numbers. */
export class RecordLexemes {
  private round = 0;
  private readonly rounds: number[] = [];
  private readonly lexemes: Lexeme[][] = [];

  /** Forgets the record before. */
  clear(): void {
    this.round += 1;
  }

  /** Adds a lexeme of the record; false when one was added under this number before. */
  add(number: number, lexeme: Lexeme): boolean {
    if (this.rounds[number] === this.round) {
      this.lexemes[number]!.push(lexeme);
      return false;
    }
    this.rounds[number] = this.round;
    this.lexemes[number] = [lexeme];
    return true;
  }

  /** Position at which a lexeme that was added occurs first. */
  firstPosition(number: number): number {
    return this.lexemes[number]![0]!.places[0]! & POSITION_BITS;
  }

  /** Position of the last word of the phrase where it first ends; -1 when it does not occur. */
  endOf({ slots, positions, field }: NumberedPhrase): number {
    const length = positions.at(-1)!;
    let end = NONE;
    for (const number of slots[0]!) {
      if (this.rounds[number] !== this.round) continue;
      for (const { places, count } of this.lexemes[number]!)
        for (let index = 0; index < count; index += 1) {
          const place = places[index]!;
          const last = (place & POSITION_BITS) + length;
          if (end !== NONE && last >= end) break;
          if (isIn(place, field) && this.continues(slots, positions, place & POSITION_BITS)) end = last;
        }
    }
    return end;
  }

  /** Whether every slot occurs within `distance` positions, in any order, all in the title or all in the text. */
  isNear(slots: readonly (readonly number[])[], distance: number, field: TextField | null): boolean {
    return slots.some((first) =>
      first.some(
        (number) =>
          this.rounds[number] === this.round &&
          this.lexemes[number]!.some(({ places, count }) =>
            places
              .slice(0, count)
              .some(
                (place) =>
                  isIn(place, field) && slots.every((slot) => this.occursAfter(slot, place, distance)),
              ),
          ),
      ),
    );
  }

  private continues(
    slots: readonly (readonly number[])[],
    positions: readonly number[],
    start: number,
  ): boolean {
    for (let slot = 1; slot < slots.length; slot += 1)
      if (!this.hasPosition(slots[slot]!, start + positions[slot]!)) return false;
    return true;
  }

  private hasPosition(slot: readonly number[], position: number): boolean {
    for (const number of slot)
      if (this.rounds[number] === this.round)
        for (const { places, count } of this.lexemes[number]!)
          for (let index = 0; index < count; index += 1)
            if ((places[index]! & POSITION_BITS) === position) return true;
    return false;
  }

  /** Whether a slot occurs at most `distance` positions after a place, in the same part of the record. */
  private occursAfter(slot: readonly number[], place: number, distance: number): boolean {
    for (const number of slot)
      if (this.rounds[number] === this.round)
        for (const { places, count } of this.lexemes[number]!)
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
