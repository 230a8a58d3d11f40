import { isHidden } from './match-state.js';

describe('a match below the relevance that its alert asks for', () => {
  it.each([
    [0.49, 0.5, true],
    [0.5, 0.5, false],
    // Postgres stores a relevance with fewer digits than a number of JavaScript has.
    [Math.fround(0.1), 0.1, false],
    [0, 0, false],
    [null, 1, false],
    [0, null, false],
  ])('of %p, with %p asked for, is hidden: %p', (relevance, minRelevance, hidden) => {
    expect(isHidden(relevance, minRelevance)).toBe(hidden);
  });
});
