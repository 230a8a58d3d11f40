import { isDeleted } from './nodebb-wire.js';

describe('what NodeBB says of a topic or post', () => {
  it.each([
    [1, true],
    ['1', true],
    [true, true],
    [0, false],
    ['0', false],
    [false, false],
    [undefined, false],
  ])('with the mark %j is that it is deleted: %s', (deleted, expected) =>
    expect(isDeleted({ deleted })).toBe(expected),
  );
});
