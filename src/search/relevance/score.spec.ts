import { frequencyOf, scoreOf, TITLE_WEIGHT, wordWeight } from './score.js';

/** The score of a row of average length with one word. */
const scoreOfWord = (frequency: number, length = 50, weight = 2): number =>
  scoreOf([{ weight, frequency }], length, 50);

describe('the score of a row', () => {
  it('is BM25 with k1 = 1.2 and b = 0.75', () => {
    expect(scoreOfWord(3, 100)).toBeCloseTo((2 * 3) / (3 + 1.2 * (0.25 + 0.75 * 2)), 12);
    expect(scoreOf([], 10, 50)).toBe(0);
  });

  it('is the sum over the words', () => {
    const words = [
      { weight: 2, frequency: 3 },
      { weight: 0.5, frequency: 1 },
    ];
    expect(scoreOf(words, 50, 50)).toBe(scoreOfWord(3) + scoreOfWord(1, 50, 0.5));
  });

  it('grows ever more slowly with the frequency and stays below the weight', () => {
    const scores = [0, 1, 2, 3, 60].map((frequency) => scoreOfWord(frequency));
    expect(scores[0]).toBe(0);
    expect([...scores].sort((a, b) => a - b)).toEqual(scores);
    expect(scores[1]! - scores[0]!).toBeGreaterThan(scores[2]! - scores[1]!);
    expect(scores.at(-1)).toBeLessThan(2);
  });

  it('is lower in a longer text', () => {
    expect(scoreOfWord(2, 200)).toBeLessThan(scoreOfWord(2, 40));
  });

  it('counts an occurrence in the title more than one elsewhere', () => {
    expect(frequencyOf(1, 0)).toBe(TITLE_WEIGHT);
    expect(scoreOfWord(frequencyOf(1, 1))).toBeGreaterThan(scoreOfWord(frequencyOf(0, 3)));
  });
});

describe('the weight of a word', () => {
  it('is higher for a rarer word and rounded to three decimals', () => {
    expect(wordWeight(1_000, 10)).toBe(Number(Math.log(1 + 990.5 / 10.5).toFixed(3)));
    const weights = [0, 1, 10, 500, 1_000].map((having) => wordWeight(1_000, having));
    expect([...weights].sort((a, b) => b - a)).toEqual(weights);
  });

  it('is above 0 for a word in every row, or in more rows than were counted', () => {
    expect(wordWeight(1_000_000, 1_000_000)).toBe(0.01);
    expect(wordWeight(10, 12)).toBe(wordWeight(10, 10));
    expect(wordWeight(0, 0)).toBeGreaterThan(0);
  });
});
