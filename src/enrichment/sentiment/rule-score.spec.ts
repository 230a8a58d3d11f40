import { tokenize } from '../text/tokens.js';
import type { WordInfo } from '../text/word.js';
import { WordTable } from '../text/word-table.js';
import { ruleScore } from './rule-score.js';

describe('a negation', () => {
  const words = new WordTable();
  const infoOf = (text: string): WordInfo =>
    ({ vader: 0, afinn: 0, boost: 0, negator: text === 'not', text }) as WordInfo;
  const negated = (text: string): string[] => {
    const tokens = tokenize(text, words);
    const infos = tokens.map(({ word, text: one }) => (word === null ? null : infoOf(one)));
    const score = ruleScore(tokens, infos);
    return tokens.filter((_, at) => score.negated[at] === 1).map((token) => token.text);
  };

  it.each([
    ['not a b c d e f', ['a', 'b', 'c', 'd']],
    ['not a. b c', ['a']],
    ['a not', []],
    ['not a not b c d e f', ['a', 'not', 'b', 'c', 'd', 'e']],
  ])('reaches four words, up to the end of its clause: %s', (text, expected) => {
    expect(negated(text)).toEqual(expected);
  });
});
