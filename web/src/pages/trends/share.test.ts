import { expect, it } from 'vitest';
import { shareOf } from './share.ts';

it('answers a share with its interval, narrower the more there is', () => {
  expect(shareOf(0, 0)).toBeNull();
  const few = shareOf(5, 10)!;
  expect([few.low, few.share, few.high].map((value) => Math.round(100 * value))).toEqual([27, 50, 73]);
  const many = shareOf(500, 1_000)!;
  expect(many.high - many.low).toBeLessThan((few.high - few.low) / 5);
  expect(shareOf(0, 20)!.low).toBe(0);
  expect(shareOf(20, 20)!.high).toBe(1);
});
