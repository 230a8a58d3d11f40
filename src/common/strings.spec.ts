import { growthOf } from '../../test/support/growth.js';
import { beginningOf, camelCase, characterStart, normalized, snakeCase } from './strings.js';

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

describe('the normal form of a text', () => {
  const long = 'Cafe\u0301 か\u3099 a\u0316\u0301 \u1100\u1161\u11a8 '.repeat(50);

  it.each(['NFC', 'NFKC', 'NFKD'] as const)('%s is the one of Unicode', (form) => {
    for (const text of ['', 'e\u0301', long]) expect(normalized(text, form)).toBe(text.normalize(form));
  });

  it('takes linear time for marks whose order changes', async () => {
    expect(await growthOf((size) => normalized(`a${'\u0315\u0300'.repeat(size)}`), 4_000)).toBeLessThan(3);
  });
});
