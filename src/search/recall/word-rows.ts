import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { lexemesToFind } from '../../text/lexemes.js';
import { SCANNER } from '../../text/scanner.js';
import { TokenKind } from '../../text/token-list.js';

/** A word of texts in all forms that a search for it finds. */
export interface Word {
  /** The form that the texts have most, as a query has it. */
  form: string;
  /** The lexemes that find it. */
  lexemes: string;
  /** How often it is written as a tag. */
  tags: number;
  /** Numbers of the rows that have it, ascending. */
  rows: number[];
}

/** Texts as numbers of their distinct words. */
export interface WordRows {
  words: Word[];
  rows: Int32Array[];
}

interface CountedWord extends Word {
  forms: Map<string, number>;
}

/** Addresses are no words of their rows. */
const LINK = /https?:\/\/\S+/gu;
/** Words of each text that are read. */
const MOST_WORDS = 200;

/** Reads texts so that the rows of a word are those that a search for it finds. */
export async function readWords(texts: readonly string[], turn: EventLoopTurn): Promise<WordRows> {
  const words: CountedWord[] = [];
  const byForm = new Map<string, number>();
  const byLexemes = new Map<string, number>();
  const rows: Int32Array[] = [];
  for (const text of texts) {
    if (turn.isOver) await turn.next();
    rows.push(read(text, rows.length));
  }
  for (const word of words) {
    if (turn.isOver) await turn.next();
    word.form = [...word.forms].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  }
  return { words, rows };

  function read(text: string, row: number): Int32Array {
    const plain = text.replace(LINK, ' ');
    SCANNER.scan(plain);
    const { count, ids, kinds, starts } = SCANNER.tokens;
    const found = new Set<number>();
    for (let at = 0; at < count && found.size < MOST_WORDS; at += 1) {
      if ((kinds[at] as TokenKind) !== TokenKind.Word) continue;
      const word = wordOf(ids[at]!);
      if (plain[starts[at]! - 1] === '#') words[word]!.tags += 1;
      if (!found.has(word)) words[word]!.rows.push(row);
      found.add(word);
    }
    return Int32Array.from(found);
  }

  function wordOf(id: number): number {
    const term = SCANNER.terms.term(id);
    let known = byForm.get(term.form);
    if (known === undefined) {
      const lexemes = lexemesToFind(term).counted.join(' ');
      known =
        byLexemes.get(lexemes) ?? words.push({ form: '', lexemes, tags: 0, rows: [], forms: new Map() }) - 1;
      byLexemes.set(lexemes, known);
      byForm.set(term.form, known);
    }
    const { forms } = words[known]!;
    forms.set(term.form, (forms.get(term.form) ?? 0) + 1);
    return known;
  }
}
