import { commentNumber } from './comment-number.js';

describe('commentNumber', () => {
  it.each([
    ['t1_a', 10],
    ['t1_zzzzzzz', 36 ** 7 - 1],
    ['hn_456', 2 ** 52 + 456],
  ])('%s', (id, number) => {
    expect(commentNumber(id)).toBe(number);
    expect(Number.isSafeInteger(number)).toBe(true);
  });

  it('is not a number for other ids', () => {
    expect(commentNumber('hn_1x')).not.toBe(commentNumber('hn_1'));
    expect(commentNumber('??')).toBeNaN();
  });
});
