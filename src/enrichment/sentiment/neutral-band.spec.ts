import { decide } from './sentiment-scorer.js';

describe('the label of three probabilities', () => {
  it.each([
    // The neutral class must be more likely than each of the others by a quarter.
    ['neutral', [0.3, 0.4, 0.3]],
    ['neutral', [0.31, 0.4, 0.29]],
    ['neutral', [0.29, 0.4, 0.31]],
    ['positive', [0.33, 0.4, 0.27]],
    ['negative', [0.27, 0.4, 0.33]],
    ['positive', [0.35, 0.36, 0.29]],
    ['neutral', [0, 1, 0]],
    ['positive', [0.4, 0.2, 0.4]],
    ['negative', [0.39, 0.2, 0.41]],
  ] as const)('is %s for positive, neutral, negative %j', (label, probabilities) => {
    expect(decide(probabilities).label).toBe(label);
  });

  it('does not affect the score, which is the difference of the outer two', () => {
    expect(decide([0.31, 0.4, 0.29])).toEqual({ label: 'neutral', score: 0.02 });
    expect(decide([0.29, 0.4, 0.31])).toEqual({ label: 'neutral', score: -0.02 });
  });
});
