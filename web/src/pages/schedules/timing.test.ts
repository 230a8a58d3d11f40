import { expect, it } from 'vitest';
import { expressionOf, timingOf } from './timing.ts';

it.each([
  '*/15 * * * *',
  '20 * * * *',
  '5 7 * * *',
  '0 9 * * 1-5',
  '0 9 * * 1,3',
  '30 6 15 * *',
  '0 0 31 * *',
])('keeps the expression %s when its form is saved unchanged', (expression) => {
  expect(expressionOf(timingOf(expression))).toBe(expression);
});

it.each([
  ['0 9 * * MON-FRI', 'weekly'],
  ['0 9 * * *', 'daily'],
  ['@hourly', 'hourly'],
  ['0,30 * * * *', 'minutes'],
  ['0 9,17 * * *', 'custom'],
  ['0 9 31 * *', 'custom'],
  ['99 * * * *', 'custom'],
])('edits %s as %s', (expression, frequency) => {
  expect(timingOf(expression).frequency).toBe(frequency);
});
