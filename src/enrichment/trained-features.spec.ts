import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stopWordsOf } from '../text/language/stop-words.js';
import { collectCandidates, phraseOf } from './keywords/candidates.js';
import { RANKING_FEATURES, rankingSlots } from './keywords/ranking-features.js';
import { extractFeatures } from './sentiment/features.js';
import { languageFeatures } from './sentiment/languages/language-features.js';
import { NEGATIONS } from './sentiment/languages/negations.js';
import { Lexicon, type LexiconFile } from './sentiment/lexicon.js';
import { tokenize } from './text/tokens.js';
import { WordTable } from './text/word-table.js';

/** Texts whose tokens are of every kind, each title with a text. */
const POSTS = [
  ['Great phone!', 'I do not like the battery, but the screen is SO good :)'],
  ['WORST update EVER???', "It's never been that sloooow... I can't recommend it at all! 😡 👎"],
  [
    'Rust vs Go in 2026',
    'Rust is fast. Rust is safe; Go is simple (and 3x quicker to learn). See https://a.example/b',
  ],
  [
    'state-of-the-art models',
    'Open source models of the year: Acme Model, Acme Model 2, and the Acme model.',
  ],
  ['', 'no. not bad, hardly great; kind of okay :-( but very, very helpful ❤️ <3'],
  ['A', ''],
  ['Neural network training', 'Training a neural network on one neural network chip. '.repeat(9)],
] as const;
/** A text of each language with a model, and the digest of its features. */
const BY_LANGUAGE: Readonly<Record<string, [text: string, digest: string]>> = {
  ar: ['هذا ليس جيدا أبدا، لكن الشاشة رائعة جدا!', 'eefde3d0afeb3cc7'],
  de: ['Das ist NICHT gut, aber der Bildschirm ist sooooo schön! Kein Problem 🙂 12', 'c75741091a0dcdb5'],
  es: ['No me gusta nada, pero la pantalla es MUY buena :)', '0d2f6c128ad56962'],
  fr: ["Ce n'est pas bon, mais l'écran est génial !!", '36b74b623c5b654a'],
  it: ['Non mi piace per niente, ma lo schermo è BELLISSIMO 😍', '92e10adf9a23e813'],
  pt: ['Não gosto nada, mas a tela é ótima http', 'ac9d767666cdb323'],
};

const words = new WordTable();
const lexicon = new Lexicon(
  JSON.parse(readFileSync(new URL('sentiment/lexicon.json', import.meta.url), 'utf8')) as LexiconFile,
);
const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

// Weights mean nothing for features other than those that they were trained with: who changes these trains anew.
describe('the features that weights were trained with are those', () => {
  it('of the sentiment of English', () => {
    const features = POSTS.flat().map((text) => {
      const tokens = tokenize(text, words);
      const { slots, words: spelt, dense } = extractFeatures(tokens, lexicon.describe(tokens));
      return [slots, spelt.map(({ hash }) => hash), Array.from(dense, (one) => one.toFixed(6))];
    });
    expect(digestOf(features)).toBe('4c2febfc239b8cf1');
  });

  it.each(Object.keys(NEGATIONS))('of the sentiment of %s', (language) => {
    const [text, digest] = BY_LANGUAGE[language]!;
    expect(digestOf(languageFeatures(tokenize(text, words), NEGATIONS[language]!))).toBe(digest);
  });

  it.each([
    ['en', 'cd6a994910d9690f'],
    ['de', '955e1c61121bb23f'],
  ])('of keywords in a text read as %s', (language, digest) => {
    const slots = new Int32Array(RANKING_FEATURES);
    const features = POSTS.map((post) => {
      const [title, body] = post.map((text) => tokenize(text, words));
      const { candidates, length, capitals } = collectCandidates(
        title!,
        body!,
        words,
        language === 'en' ? null : stopWordsOf(language),
      );
      return [...candidates.values()].map((candidate) => {
        rankingSlots(candidate, { length, capitals, rarity: (key) => (key >>> 3) & 15 }, slots);
        return [phraseOf(candidate), candidate.count, candidate.first, candidate.inside, ...slots];
      });
    });
    expect(digestOf(features)).toBe(digest);
  });
});
