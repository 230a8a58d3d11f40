import { detect, type Detection } from './detect-language.js';
import { UNDETERMINED } from './languages.js';

/** From this probability and length on, a text contradicts the stated language. */
const CLEAR_PROBABILITY = 0.95;
const CLEAR_LENGTH = 40;
/** Codes that name a language which the detector knows by another one. */
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id', fil: 'tl' };

/**
 * The language of a text for which the platform states `stated` (BCP 47 tags; empty when it states none). A stated
 * language counts unless the text is clearly in another one.
 */
export function languageOf(text: string, stated: readonly string[] = []): Readonly<Detection> {
  const detected = detect(text);
  const languages = stated.map(primaryLanguage).filter((language) => language !== null);
  const [first] = languages;
  if (first === undefined) return detected;
  if (languages.includes(detected.language)) return { language: detected.language, probability: 1 };
  const isClear = text.length >= CLEAR_LENGTH && detected.probability >= CLEAR_PROBABILITY;
  return isClear ? detected : { language: first, probability: 1 };
}

/** The primary language of a BCP 47 tag; null for anything else and for `und`. */
function primaryLanguage(tag: string): string | null {
  const [language] = /^[a-z]{2,3}(?=$|[-_])/.exec(tag.toLowerCase()) ?? [];
  if (language === undefined || language === UNDETERMINED) return null;
  return SAME[language] ?? language;
}
