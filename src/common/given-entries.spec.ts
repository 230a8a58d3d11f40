import { givenEntries } from './given-entries.js';

it('the same question gives the same entries, however it was put', () => {
  expect(givenEntries({ b: 1, c: undefined, a: null })).toEqual([
    ['a', null],
    ['b', 1],
  ]);
});
