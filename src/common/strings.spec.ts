import { camelCase, snakeCase } from './strings.js';

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
