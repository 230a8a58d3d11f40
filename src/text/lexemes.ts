import { foldWord } from './character-classes.js';
import { isDefault, otherLanguages, type Script, stem, stemmedAs } from './stems.js';
import type { Term, WordLexemes } from './term.js';

/**
 * Lexemes are what texts store and queries look up. `running` is stored as its form `running` and, because its stem
 * differs, as `~run`; `run` only as `run`. A word of a text in another language than the default one of its script is
 * stored as its form and as `^` with its stem. No form begins with these characters.
 */
const STEM = '~';
const OTHER_STEM = '^';
/** Ends a language that may be wrong: words are stemmed in the default language of their script, too. */
export const UNSURE = '-x-unsure';

/** The lexemes that a text stores for a word; `language` is the text's, as BCP 47 or `und`. At most `MOST_OF_TERM`. */
export function storedLexemes({ form, written, script }: Term, language: string): readonly string[] {
  if (script === null) return [form];
  const stemmed = stemmedAs(script, language);
  const others = isDefault(script, stemmed) ? [] : stemsOf(form, written, stemmed);
  const lexemes = [form, ...others.map((one) => OTHER_STEM + one)];
  if (others.length > 0 && !language.endsWith(UNSURE)) return lexemes;
  const stems = stemsOf(form, written, stemmedAs(script, 'und'));
  return [...lexemes, ...stems.filter((one) => one !== form).map((one) => STEM + one)];
}

/** The lexemes that find a word of a query in any form, whatever the language of a text. */
export function lexemesToFind(term: Term): WordLexemes {
  return (term.toFind ??= foundBy(term));
}

function foundBy({ form, written, script }: Term): WordLexemes {
  if (script === null) return { counted: [form], others: [] };
  const counted = stemsOf(form, written, stemmedAs(script, 'und')).flatMap((one) => [one, STEM + one]);
  return { counted, others: otherStems(form, written, script) };
}

/** The lexeme that finds a word in this form only. */
export const lexemeOfForm = ({ form }: Term): string => form;

function otherStems(form: string, written: string, script: Script): string[] {
  const stems = new Set<string>();
  for (const language of otherLanguages(script))
    for (const one of stemsOf(form, written, language)) stems.add(OTHER_STEM + one);
  return [...stems];
}

/** The stem of the word as it is written, and that of the word without its accents, which may be left out. */
function stemsOf(form: string, written: string, language: string): string[] {
  const plain = stem(form, language);
  if (written === form) return [plain];
  const accented = foldWord(stem(written, language));
  return accented === plain ? [plain] : [plain, accented];
}
