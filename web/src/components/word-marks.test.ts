import { expect, it } from 'vitest';
import { excerptOf, markWords, wordsOfQuery } from './word-marks.ts';

const marked = (text: string, phrases: string[]): string[] =>
  markWords(text, phrases)
    .filter((part) => part.marked)
    .map((part) => part.text);

it('marks the words of phrases in their forms, whatever their case', () => {
  expect(marked('Two Chargers, one charge, and UPDATING charts', ['usb charger', 'update'])).toEqual([
    'Chargers',
    'charge',
    'UPDATING',
  ]);
});

it('marks short words only where they stand unchanged', () => {
  expect(marked('An app and its apps', ['app'])).toEqual(['app']);
});

it('loses no character of the text', () => {
  const text = 'Ünïcode, battery! 電池 (battery)';
  expect(
    markWords(text, ['battery'])
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

it('leaves a page usable by a text of many marks, and loses nothing of it', () => {
  const text = 'battery '.repeat(5_000);
  const parts = markWords(text, ['battery']);
  expect(parts).toHaveLength(2_002);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

it('cuts a long text around the first word found', () => {
  const text = `${'filler '.repeat(100)}battery ${'tail '.repeat(100)}`;
  const parts = excerptOf(text, ['battery'], 200);
  const excerpt = parts.map((part) => part.text).join('');
  expect(excerpt).toMatch(/^…filler .*battery.*…$/);
  expect(excerpt.length).toBeLessThanOrEqual(202);
  expect(parts.filter((part) => part.marked)).toHaveLength(1);
});

it('begins at the start of a text in which nothing is found', () => {
  expect(excerptOf('short', ['battery'], 200)).toEqual([{ text: 'short', marked: false }]);
});

it('takes only words to be found from a query', () => {
  expect(wordsOfQuery('(battery OR "solid state") -toy forum:news NOT author:x')).toEqual([
    'battery',
    'solid',
    'state',
  ]);
});

it.each([
  ['at its beginning', `${'漢'.repeat(300)}`, 199],
  ['at its end', '', 199],
])('an excerpt is cut between characters %s', (_, before, place) => {
  const text = `${before}${'x'.repeat(place)}😀 battery ${'y'.repeat(place - 9)}😀${'z'.repeat(300)}`;
  for (let length = 180; length < 220; length += 1)
    for (const { text: part } of excerptOf(text, ['battery'], length))
      expect(part).not.toMatch(/\p{Surrogate}/u);
});
