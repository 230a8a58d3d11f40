import { readFileSync } from 'node:fs';
import { sharedPath, withShared } from '../../../test/support/shared-folder.js';
import { detectLanguage } from './detect-language.js';

const SETS = [
  ...['ar', 'de', 'es', 'fr', 'hi', 'it', 'pt'].map((language) => ({ language, set: `umsab_${language}` })),
  // The tweets have other topics than the texts of training.
  ...['goemotions', 'semeval_tweets'].map((set) => ({ language: 'en', set })),
];

withShared('text-analysis').describe('languages of tweets and comments that training does not use', () => {
  let texts: { language: string; text: string }[];
  beforeAll(() => {
    texts = SETS.flatMap(({ language, set }) =>
      readFileSync(sharedPath('text-analysis', `${set}.dev.tsv`), 'utf8')
        .split('\n')
        .slice(1, 1_500)
        .filter((line) => line !== '')
        .map((line) => ({ language, text: line.split('\t')[3]! })),
    );
  });
  const share = (rows: typeof texts): number =>
    rows.filter(({ language, text }) => detectLanguage(text) === language).length / rows.length;

  it('are found for 97 % of the texts of 40 characters and more', () => {
    expect(share(texts.filter(({ text }) => text.length >= 40))).toBeGreaterThanOrEqual(0.97);
  });

  it('are found for 90 % of the shorter texts', () => {
    expect(share(texts.filter(({ text }) => text.length < 40))).toBeGreaterThanOrEqual(0.9);
  });
});
