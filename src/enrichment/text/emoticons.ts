import { classAt, isWordPart } from './characters.js';

/** Faces drawn with characters, lower case. */
const EMOTICONS = new Set(
  (
    ":) :-) :] =) =] :d :-d =d ;) ;-) ;d :p :-p ;p =p :3 :o) :') :'-) ^^ ^_^ (: (-: (; [: <3 \\o/ :* :-* c: ;] :^) " +
    ":( :-( :[ =( :c :-c :'( :'-( ;( :/ :-/ :\\ =/ =\\ :| :-| >:( >:[ >.< >_< -_- -.- ._. :s :-s d: ): )-: ): </3 t_t t.t ;_; " +
    'xd xdd x) o.o o_o :o :-o :$ ¯\\_(ツ)_/¯ >:) 8) 8-) b) d8 :x'
  ).split(' '),
);
const LONGEST = 9;
const SLASH = 47;

/** First two characters of every face, to tell at once that none stands here. */
const STARTS = new Set([...EMOTICONS].map((face) => pair(face.charCodeAt(0), face.charCodeAt(1))));

export function isEmoticon(text: string): boolean {
  return EMOTICONS.has(text);
}

/** Length of the longest face that stands at `at`; 0 when there is none. */
export function emoticonAt(text: string, at: number): number {
  if (at + 1 >= text.length || !STARTS.has(pair(text.charCodeAt(at), text.charCodeAt(at + 1)))) return 0;
  for (let size = Math.min(LONGEST, text.length - at); size >= 2; size--) {
    if (EMOTICONS.has(text.slice(at, at + size).toLowerCase()) && endsAt(text, at + size)) return size;
  }
  return 0;
}

/** `:d` in `:different` and `:/` in `://` are no faces. */
function endsAt(text: string, end: number): boolean {
  if (isWordPart(classAt(text, end - 1))) return !isWordPart(classAt(text, end));
  return end >= text.length || text.charCodeAt(end) !== SLASH;
}

function pair(first: number, second: number): number {
  return lowerCode(first) * 0x10000 + lowerCode(second);
}

function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
