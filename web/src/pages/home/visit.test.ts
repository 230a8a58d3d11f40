import { expect, it } from 'vitest';
import { nextVisits, parseVisits } from './visit.ts';

const MINUTE = 60_000;

it('knows no earlier visit on the first one', () => {
  expect(nextVisits(null, 1_000)).toEqual({ seen: 1_000, before: null });
});

it('keeps the end of the previous visit while the current one lasts', () => {
  const first = nextVisits({ seen: MINUTE, before: null }, 100 * MINUTE);
  expect(first).toEqual({ seen: 100 * MINUTE, before: MINUTE });
  expect(nextVisits(first, 120 * MINUTE)).toEqual({ seen: 120 * MINUTE, before: MINUTE });
});

it.each([null, '', 'x', '0 5', 'NaN 1'])('reads no visits from %j', (text) => {
  expect(parseVisits(text)).toBeNull();
});

it('reads what it stored', () => {
  expect(parseVisits('20 10')).toEqual({ seen: 20, before: 10 });
  expect(parseVisits('20 0')).toEqual({ seen: 20, before: null });
});
