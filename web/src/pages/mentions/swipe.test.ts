import { expect, it } from 'vitest';
import { swipeOf } from './swipe.ts';

it('marks as done to the right and keeps to the left, from far enough', () => {
  expect([swipeOf(120, 5).action, swipeOf(-120, 5).action]).toEqual(['done', 'keep']);
  expect(swipeOf(60, 5)).toEqual({ offset: 60, action: null });
});

it('leaves taps and scrolling alone', () => {
  expect([swipeOf(8, 0), swipeOf(100, 140)]).toEqual([
    { offset: 0, action: null },
    { offset: 0, action: null },
  ]);
});
