import { describe, expect, it } from 'vitest';
import { excerptOf, withoutMarkup } from './plain-text.ts';

describe('an excerpt', () => {
  it.each([
    ['a whole text', 'abc', 'abc'],
    ['the beginning of a longer one', 'abcd', 'abc…'],
    ['no half of a character', 'ab😀', 'ab…'],
    ['a character that fits', 'a😀b', 'a😀…'],
    ['no half of a family', 'a👩\u200d👩\u200d👧', 'a…'],
    ['no letter without its mark', 'abce\u0301', 'abc…'],
    ['no mark apart', 'abe\u0301', 'ab…'],
  ])('has %s', (_, text, excerpt) => expect(excerptOf(text, 3)).toBe(excerpt));
});

describe('a text without its markup', () => {
  it('keeps the words of links, headings, quotes and lists', () => {
    expect(withoutMarkup('## Why\n> **Read** [the docs](https://example.org/a_b) first\n- `npm ci`')).toBe(
      'Why\nRead the docs first\nnpm ci',
    );
  });

  it('leaves what is no markup', () => {
    expect(withoutMarkup('2 * 3 > 5, snake_case and a [note]')).toBe('2 * 3 > 5, snake_case and a [note]');
  });

  it('works on fragments with marks', () => {
    expect(withoutMarkup('&gt; a **<mark>battery</mark>** &amp;#x200B;')).toBe('a <mark>battery</mark>  ');
  });
});
