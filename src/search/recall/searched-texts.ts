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
  return {
    words,
    rows,
    isFound,
    found: isFound.filter(Boolean).length,
    isQueryWord: words.map(wanted),
    foundWith: words.map(({ rows: of }) => of.filter((row) => isFound[row]).length),
  };
}

/** Recognises the words of a query, also those that it excludes. */
function queryTest(query: QueryNode | null): (word: Word) => boolean {
  const whole = new Set<string>();
  const prefixes: string[] = [];
  const visit = (node: QueryNode): void => {
    if (node.kind === 'and' || node.kind === 'or') node.operands.forEach(visit);
    else if (node.kind === 'not') visit(node.operand);
    else if (node.kind === 'words' || node.kind === 'near') {
      const pieces = node.text.match(PIECES) ?? [];
      if (node.kind === 'words' && node.isPrefix) prefixes.push(pieces.at(-1)?.toLowerCase() ?? '');
      for (const piece of pieces) whole.add(lexemesOf(piece));
    }
  };
  if (query !== null) visit(query);
  return ({ form, lexemes }) => whole.has(lexemes) || prefixes.some((prefix) => form.startsWith(prefix));
}

/** The lexemes that find a word: the same for all forms of it. */
function lexemesOf(word: string): string {
  const [words = []] = wordsToFind(word);
  return words.map(({ term }) => lexemesToFind(term).counted.join(' ')).join(' ');
}
