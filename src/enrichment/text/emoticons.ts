import { classAt, isWordPart } from './characters.js';

/** Emoticons in lower case. */
const EMOTICONS = new Set(
  (
    ":) :-) :] =) =] :d :-d =d ;) ;-) ;d :p :-p ;p =p :3 :o) :') :'-) ^^ ^_^ (: (-: (; [: <3 \\o/ :* :-* c: ;] :^) " +
    ":( :-( :[ =( :c :-c :'( :'-( ;( :/ :-/ :\\ =/ =\\ :| :-| >:( >:[ >.< >_< -_- -.- ._. :s :-s d: ): )-: ): </3 t_t t.t ;_; " +
    'xd xdd x) o.o o_o :o :-o :$ ¯\\_(ツ)_/¯ >:) 8) 8-) b) d8 :x'
  ).split(' '),
);
const LONGEST = 9;
/** All emoticons begin with two characters below this. */
const LATIN = 256;
const SLASH = 47;

/** First and second characters of emoticons, by which most words are excluded. */
const FIRST = flags(0);
const SECOND = flags(1);

function flags(place: number): Uint8Array {
  const table = new Uint8Array(LATIN);
  for (const face of EMOTICONS) {
    table[face.charCodeAt(place)] = 1;
    table[face.toUpperCase().charCodeAt(place)] = 1;
  }
  return table;
}

function mayStart(text: string, at: number): boolean {
  if (at + 1 >= text.length) return false;
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return first < LATIN && second < LATIN && FIRST[first] === 1 && SECOND[second] === 1;
}

/** Whether a whole lower-case text is an emoticon. */
export function isEmoticon(text: string): boolean {
  return mayStart(text, 0) && EMOTICONS.has(text);
}

/** Length of the longest emoticon at the index `at`; 0 when there is none. */
export function emoticonAt(text: string, at: number): number {
  if (!mayStart(text, at)) return 0;
  for (let size = Math.min(LONGEST, text.length - at); size >= 2; size--) {
    if (EMOTICONS.has(text.slice(at, at + size).toLowerCase()) && endsAt(text, at + size)) return size;
  }
  return 0;
}

/** `:d` in `:different` and `:/` in `://` are not emoticons. */
function endsAt(text: string, end: number): boolean {
  if (isWordPart(classAt(text, end - 1))) return !isWordPart(classAt(text, end));
  return end >= text.length || text.charCodeAt(end) !== SLASH;
}
