import { normalized } from '../../common/strings.js';
import { foldOf } from '../../text/character-classes.js';

const QUOTES = new Set('“”„‟«»‹›「」『』｢｣〝〞〟');
const BEYOND_ASCII = /[^\0-\x7f]/g;

/** The character of ASCII that differs from this one only in width, or `"` for another quotation mark. */
function narrowed(character: string): string {
  if (QUOTES.has(character)) return '"';
  const narrow = normalized(character, 'NFKC');
  return narrow.length === 1 && narrow < '\x80' ? narrow : character;
}

/** A query whose syntax has the characters of ASCII, each at its place. */
export const narrowSyntax = (query: string): string => query.replace(BEYOND_ASCII, narrowed);

/** A number, time or name of a property in ASCII, with digits of any script by their value. */
export const narrowValue = (text: string): string =>
  [...narrowSyntax(text)].map((one) => (one < '\x80' ? one : foldOf(one.codePointAt(0)!))).join('');
