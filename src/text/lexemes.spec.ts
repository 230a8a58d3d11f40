import stopwords from 'natural/lib/natural/util/stopwords.js';
import { foldWord } from './character-classes.js';
import { stopWordsOf } from './language/stop-words.js';
import { LISTED_NOUNS } from './listed-nouns.js';
import { lexemesToFind, storedLexemes, UNSURE } from './lexemes.js';
import { SCANNER } from './scanner.js';
import { stem, STEMMED_LANGUAGES } from './stems.js';
import type { Term } from './term.js';

/** The word as a term; null for a text of several. */
function termOf(word: string): Term | null {
  SCANNER.scan(word);
  return SCANNER.tokens.count === 1 ? SCANNER.terms.term(SCANNER.tokens.ids[0]!) : null;
}

const wordsOf = (language: string): Term[] =>
  [...(language === 'en' ? stopwords.words : stopWordsOf(language))].flatMap((word) => termOf(word) ?? []);

/** The frequent words of each language that have a list. */
const WORDS = new Map(STEMMED_LANGUAGES.map((language) => [language, wordsOf(language)]));

const finds = (query: string, text: string, language: string): boolean => {
  const { counted, others } = lexemesToFind(termOf(query)!);
  const stored = storedLexemes(termOf(text)!, language);
  return [...counted, ...others].some((lexeme) => stored.includes(lexeme));
};

describe('the lexemes that find a word', () => {
  it.each(STEMMED_LANGUAGES)('are of no function word of %s, for frequent words of others', (language) => {
    const own = new Set(WORDS.get(language)!.map(({ form }) => form));
    const nouns = new Set(LISTED_NOUNS[language]?.split(' ').map(foldWord));
    const isFunction = (lexeme: string): boolean => {
      const stem = lexeme.replace(/^[~^]/, '');
      return stem.length < 3 || own.has(foldWord(stem));
    };
    const wrong: string[] = [];
    for (const text of [language, language + UNSURE]) {
      const stored = new Map<string, Set<string>>();
      for (const term of WORDS.get(language)!)
        for (const lexeme of storedLexemes(term, text).filter(isFunction))
          stored.set(lexeme, (stored.get(lexeme) ?? new Set()).add(term.form));
      for (const [other, words] of WORDS)
        for (const term of other === language ? [] : words) {
          // A noun of the language finds its forms, whatever it means elsewhere.
          if (nouns.has(term.form)) continue;
          const { counted, others } = lexemesToFind(term);
          for (const lexeme of [...counted, ...others])
            for (const form of stored.get(lexeme) ?? [])
              if (form !== term.form) wrong.push(`${other} ${term.form}: ${text} ${form}`);
        }
    }
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(LISTED_NOUNS))(
    'find the nouns among the frequent words of %s by their forms',
    (language, nouns) => {
      const listed = [...stopWordsOf(language)];
      const given = nouns.split(' ');
      expect(given.filter((noun) => !listed.includes(noun))).toEqual([]);
      const apart = given.flatMap((one) =>
        given
          .filter(
            (other) =>
              other !== one &&
              stem(one, language) === stem(other, language) &&
              stem(one, language).length > 2,
          )
          .filter((other) => !finds(one, other, language))
          .map((other) => `${one} ${other}`),
      );
      expect(apart).toEqual([]);
    },
  );

  it.each([
    ['Jahr', 'Jahre', 'de'],
    ['Jahren', 'Jahr', 'de'],
    ['Tag', 'Tage', 'de'],
    ['Teile', 'Teil', 'de'],
    ['dagarna', 'dag', 'sv'],
    ['домами', 'дом', 'ru'],
    ['города', 'город', 'ru'],
  ])('find with the noun %s its form %s of %s', (query, text, language) => {
    expect(finds(query, text, language)).toBe(true);
  });

  it.each([
    ['dead', 'de', 'es'],
    ['deed', 'de', 'fr'],
    ['este', 'est', 'fr'],
    ['die', 'di', 'it'],
    ['dying', 'die', 'de'],
    ['dying', 'die', `de${UNSURE}`],
    ['ads', 'ad', 'it'],
  ])('do not find with %s the word %s of %s', (query, text, language) => {
    expect(finds(query, text, language)).toBe(false);
  });

  it.each([
    ['dying', 'die', 'en'],
    ['died', 'dying', 'en'],
    ['die', 'dies', 'en'],
    ['die', 'die', 'de'],
    ['dying', 'dying', 'it'],
    ['ads', 'ad', 'en'],
    ['batteries', 'battery', 'en'],
    ['Batterien', 'Batterie', 'de'],
    ['casa', 'casas', 'es'],
    ['the', 'the', 'en'],
    ['de', 'de', 'fr'],
  ])('find with %s the word %s of %s', (query, text, language) => {
    expect(finds(query, text, language)).toBe(true);
  });
});
