import type { Script } from './scripts.js';

/** Code of texts whose language cannot be known: too short, mixed, or not prose. */
export const UNDETERMINED = 'und';

/** Scripts of several languages, with the languages that the model distinguishes, in the order of its file. */
export const MODEL_LANGUAGES = {
  Latin: [
    ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'no', 'fi', 'pl', 'cs', 'sk', 'sl', 'hr', 'hu'],
    ...['ro', 'tr', 'id', 'vi', 'tl', 'ca', 'eu', 'et', 'lv', 'lt', 'sq', 'is', 'hi', 'af', 'sw'],
  ],
  Cyrillic: ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk'],
  Arabic: ['ar', 'fa', 'ur'],
  Devanagari: ['hi', 'mr'],
} as const satisfies Partial<Record<Script, readonly string[]>>;

/** Scripts that are mostly used by one language. Kana is counted with Han. */
export const SCRIPT_LANGUAGES: Readonly<Partial<Record<Script, string>>> = {
  Han: 'zh',
  Hangul: 'ko',
  Thai: 'th',
  Greek: 'el',
  Hebrew: 'he',
  Bengali: 'bn',
  Tamil: 'ta',
  Telugu: 'te',
  Gujarati: 'gu',
  Gurmukhi: 'pa',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Georgian: 'ka',
  Armenian: 'hy',
  Khmer: 'km',
  Lao: 'lo',
  Myanmar: 'my',
  Ethiopic: 'am',
};

/** Every code that the detector returns except {@link UNDETERMINED}, in alphabetical order. */
export const LANGUAGES: readonly string[] = [
  ...new Set(['ja', ...Object.values(MODEL_LANGUAGES).flat(), ...Object.values(SCRIPT_LANGUAGES)]),
].sort();
