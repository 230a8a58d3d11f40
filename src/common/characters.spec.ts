import { beginningOf, characterStart } from './characters.js';

describe('the start of a character', () => {
  it.each([
    ['abc', 1, 1],
    ['abc', 9, 3],
    ['a😀b', 2, 1],
    ['a👩‍👩‍👧b', 5, 1],
    ['ae\u0301', 2, 1],
    ['😀', 1, 0],
  ])('of %j at %d is %d', (text, at, start) => expect(characterStart(text, at)).toBe(start));

  it('lies within a character without an end', () => {
    const marks = '\u0301'.repeat(5_000);
    expect(characterStart(`a${marks}`, 2_000)).toBe(2_000);
    expect(characterStart(`xya${marks}`, 2_000)).toBe(2_000);
  });
});

describe('the beginning of a text', () => {
  it.each([
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abcd'],
    ['abc😀', 4, 'abc'],
    ['a👩‍👩‍👧b', 4, 'a'],
    ['🇩🇪🇫🇷', 6, '🇩🇪'],
    ['\udc00bc', 1, '\udc00'],
  ])('of %j with %d units is %j', (text, length, beginning) =>
    expect(beginningOf(text, length)).toBe(beginning),
  );
});
