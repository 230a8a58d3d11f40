export const enum Kind {
  Word,
  Number,
  Emoji,
  Emoticon,
  /** `!`, `?` and runs of them. */
  Shout,
  /** Ends a clause: `. , ; :` brackets and line breaks. */
  Stop,
  Mark,
}

export interface Token {
  kind: Kind;
  /** Lower case, else as it stands in the text. */
  text: string;
  /** Written in capitals only, two letters or more. */
  caps: boolean;
  capital: boolean;
  /** Some letter stands three times or more in a row. */
  elongated: boolean;
  hashtag: boolean;
  /** Follows the token before it with a hyphen and no space. */
  joined: boolean;
}

const Class = { Other: 0, Letter: 1, Digit: 2, Space: 3, Emoji: 4 } as const;

const CLASSES = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const letter = /[\p{L}\p{M}]/u;
  const digit = /\p{N}/u;
  const picture = /\p{Extended_Pictographic}/u;
  for (let code = 0; code < 0x10000; code++) {
    if (code >= 0x3400 && code < 0xd800) {
      table[code] = Class.Letter;
      continue;
    }
    if (code >= 0xd800 && code < 0xfb00) continue;
    const char = String.fromCharCode(code);
    if (letter.test(char)) table[code] = Class.Letter;
    else if (digit.test(char)) table[code] = Class.Digit;
    else if (/\s/.test(char)) table[code] = Class.Space;
    else if (code > 0xff && picture.test(char)) table[code] = Class.Emoji;
  }
  return table;
}

/** Faces drawn with characters. Compared after lower-casing, longest first. */
const EMOTICONS = new Set(
  (
    ":) :-) :] =) =] :d :-d =d ;) ;-) ;d :p :-p ;p =p :3 :o) :') :'-) ^^ ^_^ (: (-: (; [: <3 \\o/ :* :-* c: ;] :^) " +
    ":( :-( :[ =( :c :-c :'( :'-( ;( :/ :-/ :\\ =/ =\\ :| :-| >:( >:[ >.< >_< -_- -.- ._. :s :-s d: ): )-: ): </3 t_t t.t ;_; " +
    'xd xdd x) o.o o_o :o :-o :$ ¯\\_(ツ)_/¯ >:) 8) 8-) b) d8 :x'
  ).split(' '),
);
const LONGEST_EMOTICON = 9;
/** First two characters of every face, to tell at once that none stands here. */
const FACE_STARTS = new Set([...EMOTICONS].map((face) => pair(face.charCodeAt(0), face.charCodeAt(1))));

function pair(first: number, second: number): number {
  return lowerCode(first) * 0x10000 + lowerCode(second);
}

function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

export function isEmoticon(text: string): boolean {
  return EMOTICONS.has(text);
}

/** Splits plain text (see `plainText`) in one pass. Never throws; lone surrogates are skipped. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const length = text.length;
  let at = 0;
  let joined = false;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = CLASSES[code]!;
    if (kind === Class.Space) {
      if (code === 10) pushStop(tokens, '\n');
      joined = false;
      at++;
    } else if (kind === Class.Letter || kind === Class.Digit) {
      const end = wordEnd(text, at);
      const face = emoticonAt(text, at, code);
      if (face > end - at) {
        tokens.push(plain(Kind.Emoticon, text.slice(at, at + face).toLowerCase()));
        at += face;
      } else {
        tokens.push(word(text.slice(at, end), false, joined));
        at = end;
      }
      joined =
        text.charCodeAt(at) === 45 && at + 1 < length && CLASSES[text.charCodeAt(at + 1)]! <= Class.Digit;
      if (joined && CLASSES[text.charCodeAt(at + 1)] === Class.Other) joined = false;
      if (joined) at++;
    } else {
      joined = false;
      at = symbol(text, at, code, tokens);
    }
  }
  return tokens;
}

/** Reads whatever is neither a word nor space; gives the position after it. */
function symbol(text: string, at: number, code: number, tokens: Token[]): number {
  if (code >= 0xe000 && code <= 0xe003) {
    tokens.push(plain(Kind.Mark, text[at]!));
    return at + 1;
  }
  if (code >= 0xd800 && code <= 0xdbff) {
    const point = text.codePointAt(at)!;
    if (point < 0x10000) return at + 1;
    if (isPicture(point)) tokens.push(plain(Kind.Emoji, String.fromCodePoint(point)));
    return at + 2;
  }
  if (CLASSES[code] === Class.Emoji) {
    tokens.push(plain(Kind.Emoji, text[at]!));
    return at + 1;
  }
  const face = emoticonAt(text, at, code);
  if (face > 0) {
    tokens.push(plain(Kind.Emoticon, text.slice(at, at + face).toLowerCase()));
    return at + face;
  }
  if (code === 35 && CLASSES[text.charCodeAt(at + 1)] === Class.Letter) return hashtag(text, at + 1, tokens);
  if (code === 33 || code === 63) return shout(text, at, tokens);
  if (code === 46 && text.charCodeAt(at + 1) === 46) {
    let end = at + 2;
    while (text.charCodeAt(end) === 46) end++;
    pushStop(tokens, '...');
    return end;
  }
  if (STOPS.has(code)) pushStop(tokens, text[at]!);
  return at + 1;
}

const STOPS = new Set([...'.,;:()[]{}"…—–|/。，、'].map((char) => char.charCodeAt(0)));

function pushStop(tokens: Token[], text: string): void {
  tokens.push(plain(Kind.Stop, text));
}

function shout(text: string, at: number, tokens: Token[]): number {
  let end = at;
  let asks = 0;
  while (text.charCodeAt(end) === 33 || text.charCodeAt(end) === 63) {
    if (text.charCodeAt(end) === 63) asks++;
    end++;
  }
  const calls = end - at - asks;
  tokens.push(
    plain(
      Kind.Shout,
      (calls > 0 ? (calls > 1 ? '!!' : '!') : '') + (asks > 0 ? (asks > 1 ? '??' : '?') : ''),
    ),
  );
  return end;
}

function hashtag(text: string, start: number, tokens: Token[]): number {
  const end = wordEnd(text, start);
  const body = text.slice(start, end);
  const parts = body.length < 60 ? body.match(/[A-Z]?[^A-Z]+|[A-Z]+(?![^A-Z])/g) : null;
  for (const part of parts ?? [body]) tokens.push(word(part, true, false));
  return end;
}

function wordEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = CLASSES[code];
    if (kind === Class.Letter || kind === Class.Digit) continue;
    // An apostrophe or a censor's star belongs to the word when a letter follows.
    if ((code === 39 || code === 42) && CLASSES[text.charCodeAt(at + 1)] === Class.Letter) continue;
    break;
  }
  return at;
}

function word(raw: string, hashtag: boolean, joined: boolean): Token {
  const first = CLASSES[raw.charCodeAt(0)];
  if (first === Class.Digit && /^\d+(?:st|nd|rd|th|k|s)?$/.test(raw)) {
    return { kind: Kind.Number, text: raw, caps: false, capital: false, elongated: false, hashtag, joined };
  }
  const lower = raw.toLowerCase();
  const capital = raw.charCodeAt(0) !== lower.charCodeAt(0);
  const caps = capital && raw.length > 1 && raw.toUpperCase() === raw;
  const kind = !hashtag && EMOTICONS.has(lower) ? Kind.Emoticon : Kind.Word;
  return { kind, text: lower, caps, capital, elongated: squeeze(lower) !== lower, hashtag, joined };
}

/** Cuts every run of one letter to two. */
export function squeeze(text: string): string {
  let run = 1;
  let out = '';
  let from = 0;
  for (let at = 1; at < text.length; at++) {
    run = text.charCodeAt(at) === text.charCodeAt(at - 1) ? run + 1 : 1;
    if (run > 2) {
      out += text.slice(from, at);
      from = at + 1;
    }
  }
  return from === 0 ? text : out + text.slice(from);
}

function plain(kind: Kind, text: string): Token {
  return { kind, text, caps: false, capital: false, elongated: false, hashtag: false, joined: false };
}

function isPicture(point: number): boolean {
  // Skin tones and flags' letters carry no feeling of their own.
  return point >= 0x1f300 && point <= 0x1faff && (point < 0x1f3fb || point > 0x1f3ff);
}

function emoticonAt(text: string, at: number, code: number): number {
  if (!FACE_STARTS.has(pair(code, text.charCodeAt(at + 1)))) return 0;
  const longest = Math.min(LONGEST_EMOTICON, text.length - at);
  for (let size = longest; size >= 2; size--) {
    const face = text.slice(at, at + size).toLowerCase();
    if (EMOTICONS.has(face) && endsThere(text, at + size, face)) return size;
  }
  return 0;
}

/** `:d` in `:different` and `:/` in `://` are no faces. */
function endsThere(text: string, end: number, face: string): boolean {
  if (end >= text.length) return true;
  const last = CLASSES[face.charCodeAt(face.length - 1)];
  const next = CLASSES[text.charCodeAt(end)];
  if (last === Class.Letter || last === Class.Digit) return next !== Class.Letter && next !== Class.Digit;
  return text.charCodeAt(end) !== 47;
}
