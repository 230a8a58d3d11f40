import type { Slot } from '../query/condition.js';

/** The condition that a record has a word. */
export interface NumberedWord {
  kind: 'word';
  word: number;
}

/** Numbers the words of queries, from 0, and finds them by the lexemes of texts. */
export class WordNumbers {
  /** Number of distinct words. */
  count = 0;
  /** Number of lexemes that find words, to which memory is proportional. */
  lexemes = 0;
  private readonly bySlot = new Map<string, NumberedWord>();
  /** Most lexemes find one word, which is kept without an array. */
  private readonly byLexeme = new Map<string, number | number[]>();
  private readonly byPrefix = new Map<string, number>();
  /** Distinct lengths of prefixes. */
  private readonly prefixLengths = new Set<number>();

  /** The number of a word, which equal words share. */
  of(slot: Slot): number {
    return this.wordOf(slot).word;
  }

  /** The condition of a word, one for all queries with it. */
  wordOf(slot: Slot): NumberedWord {
    const lexemes = [...slot.counted, ...slot.others];
    const key = `${lexemes.join(' ')}${slot.isPrefix ? ' *' : ''}`;
    const known = this.bySlot.get(key);
    if (known !== undefined) return known;
    const number = this.count;
    const condition: NumberedWord = { kind: 'word', word: number };
    this.count += 1;
    this.bySlot.set(key, condition);
    this.lexemes += lexemes.length;
    if (slot.isPrefix) {
      this.byPrefix.set(lexemes[0]!, number);
      this.prefixLengths.add(lexemes[0]!.length);
    } else for (const lexeme of new Set(lexemes)) this.add(lexeme, number);
    return condition;
  }

  /** Calls `found` with every word that a lexeme of a text finds. */
  find(lexeme: string, found: (word: number) => void): void {
    const words = this.byLexeme.get(lexeme);
    if (typeof words === 'number') found(words);
    else words?.forEach(found);
    for (const length of this.prefixLengths) {
      if (length > lexeme.length) continue;
      const word = this.byPrefix.get(lexeme.slice(0, length));
      if (word !== undefined) found(word);
    }
  }

  private add(lexeme: string, number: number): void {
    const known = this.byLexeme.get(lexeme);
    if (known === undefined) this.byLexeme.set(lexeme, number);
    else if (typeof known === 'number') this.byLexeme.set(lexeme, [known, number]);
    else known.push(number);
  }
}
