import { beginningOf, camelCase, characterStart, snakeCase } from './strings.js';

describe('letter case', () => {
  it.each([
    ['id', 'id'],
    ['createdUtc', 'created_utc'],
    ['isNsfw', 'is_nsfw'],
    ['previousSecretUntil', 'previous_secret_until'],
  ])('maps %s to %s and back', (camel, snake) => {
    expect(snakeCase(camel)).toBe(snake);
    expect(camelCase(snake)).toBe(camel);
  });
});

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
    ['', 1, ''],
    ['😀', 1, ''],
    ['a\u{20bb7}', 3, 'a\u{20bb7}'],
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
