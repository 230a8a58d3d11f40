import { givenEntries } from './given-entries.js';

it('equal filters give equal entries in any order', () => {
  expect(givenEntries({ b: 1, c: undefined, a: null })).toEqual([
    ['a', null],
    ['b', 1],
  ]);
});
