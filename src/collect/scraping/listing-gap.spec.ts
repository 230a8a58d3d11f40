import { gapBehind } from './listing-gap.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

describe('the gap behind a pass', () => {
  const reached = { newest: at(50), oldest: at(41), items: 10 };

  it.each([
    ['as many posts as fit at the pace of those that were read', 30, 10],
    ['one where the next post may be the known one', 40, 1],
    ['none where the pass reached the known post', 41, 0],
    ['none where the pass read further back', 45, 0],
  ])('is %s', (_case, known, expected) => {
    expect(gapBehind(reached, new Date(at(known)))).toBe(expected);
  });

  it('is none without a known post, and without a post that was read', () => {
    expect(gapBehind(reached, null)).toBe(0);
    expect(gapBehind({ newest: null, oldest: null, items: 0 }, new Date(at(0)))).toBe(0);
  });

  it('is one where a single post shows no pace', () => {
    expect(gapBehind({ newest: at(50), oldest: at(50), items: 1 }, new Date(at(0)))).toBe(1);
  });
});
