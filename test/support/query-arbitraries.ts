import fc from 'fast-check';
import type { MatchedRecord } from '../../src/search/matching/matched-record.js';

const WORDS = [
  'run',
  'running',
  'wi-fi',
  'wifi',
  'fi',
  'café',
  'cafe',
  'C++',
  'c',
  'the',
  'who',
  "don't",
  '東京',
  '京',
  'AT&T',
  '$50',
  '50',
  'node.js',
  'батареи',
  'батарея',
  '🔥',
  'state-of-the-art',
  'organ',
  'organization',
  '#tag',
  'tag',
];
const GAPS = [' ', ' ', ' ', ', ', '. ', '-', '/', '\n'];

/** A link that makes a text promotion. */
const PAID_LINK = 'https://shop.example/?coupon=1';

/** Texts of few distinct words, so that queries often match. */
export const textArbitrary = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...GAPS)), { maxLength })
    .map((parts) => parts.flat().join(''));

/** Posts with {@link textArbitrary} and few distinct values. */
export const recordArbitrary: fc.Arbitrary<MatchedRecord> = fc
  .record({
    title: textArbitrary(3),
    text: textArbitrary(12),
    language: fc.constantFrom('en', 'de', 'ru', 'und'),
    author: fc.constantFrom('ann', 'Ann_Smith', 'bob'),
    forum: fc.constantFrom('Chess', 'tries'),
    score: fc.integer({ min: 0, max: 20 }),
    day: fc.integer({ min: 1, max: 28 }),
    isNsfw: fc.boolean(),
    isPromotion: fc.boolean(),
  })
  .map(({ title, text, language, author, forum, score, day, isNsfw, isPromotion }) => ({
    texts: { title, text: isPromotion ? `${text} ${PAID_LINK}` : text },
    language,
    values: { author, forum },
    numbers: { score, created: Date.UTC(2026, 0, day) },
    flags: { 'is:nsfw': isNsfw, 'is:promotion': isPromotion },
  }));

const word = fc.constantFrom(...WORDS, 'r/tries');
/** Two words, sometimes more or one twice. */
const someWords = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(word, word) },
  { weight: 1, arbitrary: fc.array(word, { minLength: 1, maxLength: 4 }) },
);
const leaf = fc.oneof(
  { weight: 8, arbitrary: word },
  someWords.map((words) => `"${words.join(' ')}"`),
  fc
    .tuple(someWords, fc.integer({ min: 1, max: 6 }))
    .map(([words, distance]) => `"${words.join(' ')}"~${distance}`),
  fc.constantFrom('=organ', '=run', 'ru*', 'wi*', '東*', 'title:run', 'text:"the who"', 'title:(c OR cafe)'),
  fc.constantFrom('author:ann', 'author:ann*', 'forum:chess', 'subreddit:tries', 'flair:x', 'score:>10'),
  fc.constantFrom('score:<=5', 'after:2026-01-10', 'before:2026-01-20', 'is:nsfw', '-is:nsfw'),
  fc.constantFrom('is:promotion', '-is:promotion'),
);

/** Queries in the language of `q`, mostly over the words of {@link textArbitrary}. */
export const queryArbitrary: fc.Arbitrary<string> = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: tie('query').map((one) => `-(${one})`) },
    { weight: 2, arbitrary: fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) ${b}`) },
    { weight: 2, arbitrary: fc.tuple(tie('query'), tie('query')).map(([a, b]) => `${a} OR (${b})`) },
  ),
})).query;
