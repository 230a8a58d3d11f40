import type { QueryWord } from '../../src/search/query/ranked-slots.js';

/** A word that is found by one lexeme. */
export const rankedWord = (lexeme: string, isPrefix = false): QueryWord => ({
  counted: [lexeme],
  others: [],
  isPrefix,
  field: null,
});
