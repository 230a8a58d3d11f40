import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { lexemesToFind } from '../../text/lexemes.js';
import { wordsToFind } from '../../text/query-words.js';
import type { QueryNode } from '../query/query-tree.js';
import type { Searched } from './row-scores.js';
import { readWords, type Word } from './word-rows.js';

const PIECES = /\S+/gu;

/** Reads texts of which the query found some. */
export async function readSearched(
  texts: readonly string[],
  isFound: readonly boolean[],
  query: QueryNode | null,
  turn: EventLoopTurn,
): Promise<Searched> {
  const { words, rows } = await readWords(texts, turn);
  const wanted = queryTest(query);
  const isQueryWord: boolean[] = [];
  const foundWith: number[] = [];
  for (const word of words) {
    if (turn.isOver) await turn.next();
    isQueryWord.push(wanted(word));
    foundWith.push(word.rows.filter((row) => isFound[row]).length);
  }
  return { words, rows, isFound, found: isFound.filter(Boolean).length, isQueryWord, foundWith };
}

/** Recognises the words of a query, also those that it excludes. */
function queryTest(query: QueryNode | null): (word: Word) => boolean {
  const whole = new Set<string>();
  const prefixes = new Set<string>();
  const visit = (node: QueryNode): void => {
    if (node.kind === 'and' || node.kind === 'or') node.operands.forEach(visit);
    else if (node.kind === 'not') visit(node.operand);
    else if (node.kind === 'words' || node.kind === 'near') {
      const pieces = node.text.match(PIECES) ?? [];
      if (node.kind === 'words' && node.isPrefix) prefixes.add(pieces.at(-1)?.toLowerCase() ?? '');
      for (const piece of pieces) whole.add(lexemesOf(piece));
    }
  };
  if (query !== null) visit(query);
  // A query has few lengths of prefixes, however many prefixes it has.
  const lengths = [...new Set([...prefixes].map(({ length }) => length))];
  return ({ form, lexemes }) =>
    whole.has(lexemes) || lengths.some((length) => prefixes.has(form.slice(0, length)));
}

/** The lexemes that find a word: the same for all forms of it. */
function lexemesOf(word: string): string {
  const [words = []] = wordsToFind(word);
  return words.map(({ term }) => lexemesToFind(term).counted.join(' ')).join(' ');
}
