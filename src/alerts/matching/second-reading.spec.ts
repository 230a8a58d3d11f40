import { isUncertain, relevanceAfter } from './second-reading.js';

const YES = { relevant: true, reason: 'It names the product.' };
const NO = { relevant: false, reason: 'It is about a song.' };

describe('relevanceAfter', () => {
  it('lets the answer count where the model is uncertain', () => {
    for (const relevance of [0.25, 0.5, 0.75]) {
      expect(isUncertain(relevance)).toBe(true);
      expect(relevanceAfter(relevance, YES)).toBe(0.9);
      expect(relevanceAfter(relevance, NO)).toBe(0.1);
      expect(relevanceAfter(relevance, null)).toBe(relevance);
    }
  });

  it.each([0, 0.24, 0.76, 1, null])('leaves %s as it is', (relevance) => {
    expect(isUncertain(relevance)).toBe(false);
    expect(relevanceAfter(relevance, YES)).toBe(relevance);
    expect(relevanceAfter(relevance, NO)).toBe(relevance);
  });
});
