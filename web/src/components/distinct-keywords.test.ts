import { expect, it } from 'vitest';
import { distinctKeywords } from './distinct-keywords.ts';

const distinct = (words: readonly string[], q?: string): string[] =>
  distinctKeywords(
    words.map((keyword) => ({ keyword })),
    q,
  ).map(({ keyword }) => keyword);

it('leaves out parts and extensions of keywords before them', () => {
  expect(distinct(['Helix Systems', 'helix', 'systems', 'helix systems router', 'router', 'chess'])).toEqual([
    'Helix Systems',
    'router',
    'chess',
  ]);
});

it('leaves out the words of the query, also within phrases', () => {
  expect(distinct(['helix', 'helix router', 'router', 'pays'], 'Helix -marvel')).toEqual([
    'helix router',
    'pays',
  ]);
});

it('keeps keywords that share only some of their words', () => {
  expect(distinct(['solid state', 'solid rock'])).toEqual(['solid state', 'solid rock']);
  expect(distinct([])).toEqual([]);
});
