import { beginningOf, camelCase, snakeCase } from './strings.js';

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

describe('the beginning of a text', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 5, 'abc'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['a\u{20bb7}', 3, 'a\u{20bb7}'],
    ['😀', 1, ''],
    ['', 1, ''],
  ])('%j up to %d is %j', (text, units, beginning) => expect(beginningOf(text, units)).toBe(beginning));
});
