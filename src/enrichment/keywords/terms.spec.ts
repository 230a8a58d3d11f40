import { WordTable } from '../text/word-table.js';
import { termOf } from './terms.js';

it.each([
  ['of one letter', 'é', true],
  ['of two letters', 'pó', false],
  ['of sixty letters', 'x'.repeat(60), false],
  ['of more', 'x'.repeat(61), true],
  ['of forum talk', 'tldr', true],
  ['that marks a repost', 'rt', true],
  ['left of an address', 'http', true],
])('a word %s: whether it is excluded from keywords', (_what, word, isLeftOut) => {
  expect(termOf(new WordTable().get(word), null).stop).toBe(isLeftOut);
});
