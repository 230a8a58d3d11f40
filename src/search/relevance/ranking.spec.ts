import { rankedWord } from '../../../test/support/ranked-word.js';
import { rankingAt, rankingOf, rankingText } from './ranking.js';

const WORDS = ['solar', 'battery'].map((lexeme) => rankedWord(lexeme));

describe('the ranking in a position', () => {
  const ranking = rankingOf(WORDS, { rows: 100, averageLength: 20, rowsWithWord: [3, 40] });
  const position = `1.5${rankingText(ranking)}`;

  it('is that of the previous page', () => {
    expect(rankingAt(WORDS, position)).toEqual(ranking);
  });

  it('is null when the number of words differs from the number of weights', () => {
    expect(rankingAt(WORDS.slice(1), position)).toBeNull();
    expect(rankingAt([...WORDS, ...WORDS], position)).toBeNull();
  });
});
