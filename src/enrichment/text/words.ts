import { plainText } from './markup.js';
import { Kind, tokenize } from './tokens.js';
import { WordTable } from './word-table.js';

/** Not the analyzer's table, whose words hold results of its weights. */
const table = new WordTable();

/** The words and numbers of a text with markup, in lower case and in their order. */
export function wordsOf(raw: string): string[] {
  return tokenize(plainText(raw), table)
    .filter(({ kind }) => kind === Kind.Word || kind === Kind.Number)
    .map(({ text }) => text);
}
