import { gramSlots } from './lexicon.js';

it.each([
  ['ab', 2],
  ['abcd', 2 + 3 + 4],
  ['x'.repeat(24), 22 + 23 + 24],
  ['x'.repeat(25), 0],
])('the pieces of three to five letters of %j', (word, count) => {
  expect(gramSlots(word)).toHaveLength(count);
});
