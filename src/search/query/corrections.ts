import { editDistance } from '../../common/edit-distance.js';
import { mapInSlices } from '../../common/slices.js';
import { lexemeOfForm, lexemesToFind } from '../../text/lexemes.js';
import { wordsToFind } from '../../text/query-words.js';
import type { QueryNode } from './query-tree.js';

/** A word of the vocabulary, and how many records have it. */
export interface VocabularyWord {
  lexeme: string;
  rows: number;
}

/** A part of a query that is one word, and the lexemes that find it. */
export interface CorrectableWord {
  /** As it is written in the query. */
  text: string;
  form: string;
  lexemes: readonly string[];
}

/** Maximum number of words of a query that are corrected, of corrections of a word, and of corrected queries. */
const MAX_WORDS = 4;
const MAX_CORRECTIONS = 3;
const MAX_QUERIES = 8;
/** Shorter words have too many neighbours. */
const LEAST_LENGTH = 3;
/** From this length on, two errors are corrected. */
const LONG = 6;

const PIECES = /\S+/gu;
/** Begins a lexeme that is a stem, not a form. */
const STEM = /^[~^]/;

/** Most errors that are corrected in a word. */
const mostErrors = (form: string): number => (form.length < LONG ? 1 : 2);

/** The words of a query that may be misspelt, each once: those that are neither excluded nor prefixes. */
export function correctableWords(node: QueryNode | null): CorrectableWord[] {
  const words = new Map<string, CorrectableWord>();
  const visit = (of: QueryNode): void => {
    if (of.kind === 'and' || of.kind === 'or') of.operands.forEach(visit);
    else if (of.kind === 'near' || (of.kind === 'words' && !of.isPrefix))
      for (const [text] of of.text.matchAll(PIECES)) {
        const word = correctable(text);
        if (word !== null && words.size < MAX_WORDS) words.set(text, word);
      }
  };
  if (node !== null) visit(node);
  return [...words.values()];
}

/** The lengths that words have which are similar to one of these. */
export function lengthsOf(words: readonly CorrectableWord[]): { least: number; most: number } {
  return {
    least: Math.min(...words.map(({ form }) => form.length - mostErrors(form))),
    most: Math.max(...words.map(({ form }) => form.length + mostErrors(form))),
  };
}

function correctable(text: string): CorrectableWord | null {
  const [words = []] = wordsToFind(text);
  const [word] = words;
  if (words.length !== 1 || word === undefined || word.isPrefix || word.term.script === null) return null;
  const form = lexemeOfForm(word.term);
  if (form.length < LEAST_LENGTH) return null;
  const { counted, others } = lexemesToFind(word.term);
  return { text, form, lexemes: [form, ...counted, ...others] };
}

/**
 * Queries with the words that the vocabulary lacks replaced by similar ones that it has, the most similar and most
 * frequent first. None when a word has no similar one, or none is missing. The words are compared in time slices.
 */
export async function correctedTrees(
  tree: QueryNode,
  words: readonly CorrectableWord[],
  vocabulary: readonly VocabularyWord[],
): Promise<QueryNode[]> {
  const known = new Set(vocabulary.map(({ lexeme }) => lexeme));
  const missing = words.filter(({ lexemes }) => !lexemes.some((lexeme) => known.has(lexeme)));
  const corrections: string[][] = [];
  for (const { form } of missing) corrections.push(await similarWords(form, vocabulary));
  if (missing.length === 0 || corrections.some((some) => some.length === 0)) return [];
  return choices(corrections.map((some) => some.length))
    .slice(0, MAX_QUERIES)
    .map((chosen) => {
      const replacements = new Map(
        missing.map(({ text }, index) => [text, corrections[index]![chosen[index]!]!] as const),
      );
      return replaced(tree, replacements);
    });
}

/** The words of the vocabulary with few differences to a form, best first. */
async function similarWords(form: string, vocabulary: readonly VocabularyWord[]): Promise<string[]> {
  const most = mostErrors(form);
  const forms = vocabulary.filter(({ lexeme }) => !STEM.test(lexeme));
  const compared = await mapInSlices(forms, ({ lexeme, rows }) => ({
    lexeme,
    rows,
    errors: editDistance(form, lexeme, most),
  }));
  return compared
    .filter(({ errors }) => errors > 0 && errors <= most)
    .sort((a, b) => a.errors - b.errors || b.rows - a.rows || (a.lexeme < b.lexeme ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
    .map(({ lexeme }) => lexeme);
}

/** All ways to choose one of so many for each place, those nearest to the first ones first. */
function choices(counts: readonly number[]): number[][] {
  const sum = (chosen: readonly number[]): number => chosen.reduce((total, one) => total + one, 0);
  return counts
    .reduce<number[][]>(
      (all, count) => all.flatMap((before) => Array.from({ length: count }, (_, one) => [...before, one])),
      [[]],
    )
    .sort((a, b) => sum(a) - sum(b));
}

function replaced(node: QueryNode, by: ReadonlyMap<string, string>): QueryNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, operands: node.operands.map((operand) => replaced(operand, by)) };
    case 'near':
      return { ...node, text: node.text.replace(PIECES, (piece) => by.get(piece) ?? piece) };
    case 'words':
      return node.isPrefix
        ? node
        : { ...node, text: node.text.replace(PIECES, (piece) => by.get(piece) ?? piece) };
    default:
      return node;
  }
}
