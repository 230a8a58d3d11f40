import { subjectOf } from './erasures.service.js';

describe('the subject of an erasure', () => {
  it.each([
    ['Cafe\u0301', 'Caf\u00e9'],
    [' u/ann ', 'ann'],
    ['@ann', 'ann'],
  ])('given as the author %j has the name %j of stored content', (author, name) =>
    expect(subjectOf({ author })).toEqual({ kind: 'author', source: null, author: name }),
  );
});
