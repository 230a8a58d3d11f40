import { createHash } from 'node:crypto';
import { hashText, mixBits } from '../../common/hash.js';
import { detectLanguage } from '../../text/language/detect-language.js';
import { SCANNER } from '../../text/scanner.js';
import { TokenKind } from '../../text/token-list.js';
import { normalLink } from './normal-link.js';

/** The contents of a record: its texts and the addresses of its subject. */
export interface Story {
  title: string;
  text: string;
  /** Its links, and its own address; null or relative ones play no part. */
  links: readonly (string | null)[];
}

/** The keys by which a record is recognised as a repost of another. */
export interface StoryKeys {
  /** Of its texts, as BCP 47 or `und`. */
  language: string;
  /** One equal key is enough: links, and the whole of a short text. */
  whole: readonly string[];
  /** Keys of a long text; two equal ones are enough. */
  bands: readonly string[];
}

/** Equal bands that make two texts near duplicates. */
export const LEAST_BANDS = 2;
/** Bands of a long text, each of the least hashes of three families. */
const BANDS = 16;
const ROWS = 3;
/** From this number of words on, texts with changes are recognised; shorter ones are compared as a whole. */
const LONG_TEXT = 20;
/** Shorter texts say too little to be the same by chance only rarely. */
const LEAST_WORDS = 8;
/** Characters of a text that are read; later ones hardly distinguish copies. */
const MAX_CHARACTERS = 20_000;

const FAMILIES = Uint32Array.from({ length: BANDS * ROWS }, (_, family) => mixBits(family + 1));

/**
 * The keys of a record. Long texts are compared by MinHash over pairs of adjacent words: texts with 70 percent of their
 * pairs in common share two bands with a probability of 98 percent, unrelated ones (5 percent) of less than one in a
 * hundred thousand.
 */
export function storyKeys({ title, text, links }: Story): StoryKeys {
  const ofText = wordsOf(text);
  const words = ofText.length >= LONG_TEXT ? ofText : [...wordsOf(title), ...ofText];
  const pages = links.map((link) => (link === null ? null : normalLink(link)));
  return {
    language: detectLanguage(`${title}\n${text}`),
    whole: [
      ...new Set(pages.filter((page) => page !== null).map((page) => key(`link ${page}`))),
      ...(words.length >= LEAST_WORDS && words.length < LONG_TEXT ? [key(`text ${words.join(' ')}`)] : []),
    ],
    bands: words.length < LONG_TEXT ? [] : bandsOf(words),
  };
}

/** Whether two texts may be in the same language; a translation is another story. */
export const mayBeSameLanguage = (a: string, b: string): boolean => a === 'und' || b === 'und' || a === b;

function bandsOf(words: readonly number[]): string[] {
  const least = new Uint32Array(FAMILIES.length).fill(0xffffffff);
  for (let at = 1; at < words.length; at += 1) {
    const pair = mixBits(Math.imul(words[at - 1]!, 31) ^ words[at]!);
    for (let family = 0; family < FAMILIES.length; family += 1) {
      const hash = mixBits(pair ^ FAMILIES[family]!);
      if (hash < least[family]!) least[family] = hash;
    }
  }
  return Array.from({ length: BANDS }, (_, band) =>
    key(`band ${band} ${least.slice(band * ROWS, (band + 1) * ROWS).join(' ')}`),
  );
}

/** Hashes of the words of a text in order. */
function wordsOf(text: string): number[] {
  SCANNER.scan(text.slice(0, MAX_CHARACTERS));
  const { count, kinds, ids } = SCANNER.tokens;
  const words: number[] = [];
  for (let token = 0; token < count; token += 1)
    if (kinds[token] === TokenKind.Word) words.push(hashText(SCANNER.terms.term(ids[token]!).form));
  return words;
}

/** A 64-bit number as text, as Postgres reads it. */
const key = (text: string): string => createHash('sha256').update(text).digest().readBigInt64BE(0).toString();
