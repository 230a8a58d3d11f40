import { foldWord } from './character-classes.js';
import { isForeignWord, isFrequent, isFunctionWord, isOthersNoun, isShortStem } from './function-words.js';
import { otherLanguages, stem, stemmedAs } from './stems.js';
import type { Term, WordLexemes } from './term.js';

/**
 * Lexemes are what texts store and queries look up. `running` is stored as its form `running` and, because its stem
 * differs, as `~run`; `run` only as `run`. A word of a text in another language than the default one of its script is
 * stored as its form and as `^` with its stem. No form begins with these characters.
 *
 * Words do not find function words of other languages, nor frequent words the frequent nouns of others. Stems of fewer than three letters, and function words of the
 * language of a stem, find only the word's own form. A word of the default language whose stem is a function word
 * elsewhere (`die` in German) is stored as `~die`, too, and found by that, since its form is in texts of all languages.
 */
const STEM = '~';
const OTHER_STEM = '^';
/** Ends a language that may be wrong: words are stemmed in the default language of their script, too. */
export const UNSURE = '-x-unsure';

/** The lexemes that a text stores for a word; `language` is the text's, as BCP 47 or `und`. At most `MOST_OF_TERM`. */
export function storedLexemes({ form, written, script }: Term, language: string): readonly string[] {
  if (script === null) return [form];
  const stemmed = stemmedAs(script, language);
  const byDefault = stemmedAs(script, 'und');
  const lexemes = [form];
  if (stemmed !== byDefault) {
    for (const one of stemsOf(form, written, stemmed))
      if (!isShortStem(one) && !isFunctionWord(one, stemmed)) lexemes.push(OTHER_STEM + one);
    const isForeign = isShortStem(form) || isFrequent(form, stemmed);
    if (isForeign || !language.endsWith(UNSURE)) return lexemes;
  }
  for (const one of stemsOf(form, written, byDefault))
    if (one === form ? isForeignWord(one, script, byDefault) : !isFunctionWord(one, byDefault))
      lexemes.push(STEM + one);
  return lexemes;
}

/** The lexemes that find a word of a query in any form, whatever the language of a text. */
export function lexemesToFind(term: Term): WordLexemes {
  return (term.toFind ??= foundBy(term));
}

function foundBy({ form, written, script }: Term): WordLexemes {
  if (script === null) return { counted: [form], others: [] };
  const byDefault = stemmedAs(script, 'und');
  const counted = new Set<string>();
  for (const one of stemsOf(form, written, byDefault)) {
    // Of a function word of the language, the forms are words of their own.
    if (one !== form && (one.length === 1 || isFunctionWord(one, byDefault))) continue;
    if (!isForeignWord(one, script, byDefault)) counted.add(one);
    counted.add(STEM + one);
  }
  const others = new Set<string>();
  for (const language of otherLanguages(script))
    for (const one of stemsOf(form, written, language))
      if (!isShortStem(one) && !isOthersNoun(form, one, script)) others.add(OTHER_STEM + one);
  if (counted.size === 0) counted.add(form);
  else if (!counted.has(form)) others.add(form);
  return { counted: [...counted], others: [...others] };
}

/** The lexeme that finds a word in this form only. */
export const lexemeOfForm = ({ form }: Term): string => form;

/** The stem of the word as it is written, and that of the word without its accents, which may be left out. */
function stemsOf(form: string, written: string, language: string): string[] {
  const plain = stem(form, language);
  if (written === form) return [plain];
  const accented = foldWord(stem(written, language));
  return accented === plain ? [plain] : [plain, accented];
}
