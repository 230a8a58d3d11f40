import { Class, classAt, isPicture, isWordPart } from './characters.js';
import { emoticonAt, isEmoticon } from './emoticons.js';
import type { Word } from './word.js';
import { WordTable } from './word-table.js';
import { plainText } from './markup.js';

/** Kinds of tokens. */
export const enum Kind {
  Word,
  Number,
  Emoji,
  Emoticon,
  /** Runs of `!` and `?`, as `!`, `!!`, `?`, `??` or both. */
  Shout,
  /** Ends a clause: `. , ; :` brackets and line breaks. */
  Stop,
  /** Placeholder for a part that `plainText` removed, see `MARKS`. */
  Mark,
}

/** A word, number, emoji, emoticon or punctuation of a text. */
export interface Token {
  kind: Kind;
  /** In lower case for words, numbers and emoticons; otherwise as in the text. */
  text: string;
  /** Null for punctuation and marks. */
  word: Word | null;
  /** Written only in capitals, at least two letters. */
  caps: boolean;
  /** Begins with a capital. */
  capital: boolean;
  hashtag: boolean;
  /** Follows the previous token with a hyphen and no space. */
  joined: boolean;
}

/** Splits plain text (see `plainText`) in one pass. Never throws; lone surrogates are skipped. */
export function tokenize(text: string, words: WordTable): Token[] {
  return new Tokenizer(text, words).run();
}

const STOPS = new Set([...'.,;:()[]{}"…—–|/。，、'].map((char) => char.charCodeAt(0)));
const NUMBER = /^\d+(?:st|nd|rd|th|k|s)?$/;
/** Where a hashtag's words begin. */
const HASHTAG_WORDS = /[A-Z]?[^A-Z]+|[A-Z]+(?![^A-Z])/g;
const LONGEST_HASHTAG = 60;
const NEWLINE = 10;
const EXCLAMATION_MARK = 33;
const HASH = 35;
const APOSTROPHE = 39;
const STAR = 42;
const HYPHEN = 45;
const DOT = 46;
const QUESTION_MARK = 63;
const FIRST_MARK = 0xe000;
const LAST_MARK = 0xe003;

class Tokenizer {
  private readonly tokens: Token[] = [];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly words: WordTable,
  ) {}

  run(): Token[] {
    const { text } = this;
    let joined = false;
    while (this.at < text.length) {
      const kind = classAt(text, this.at);
      if (kind === Class.Space) {
        if (text.charCodeAt(this.at) === NEWLINE) this.lineBreak();
        this.at++;
        joined = false;
      } else if (isWordPart(kind)) {
        this.word(joined);
        joined = text.charCodeAt(this.at) === HYPHEN && isWordPart(classAt(text, this.at + 1));
        if (joined) this.at++;
      } else {
        joined = false;
        this.symbol(text.charCodeAt(this.at), kind);
      }
    }
    return this.tokens;
  }

  private word(joined: boolean): void {
    const { text, at } = this;
    const end = wordEnd(text, at);
    // Emoticons that begin with a letter continue with another character, such as `d:` and `t_t`.
    const face = end - at === 1 ? emoticonAt(text, at) : 0;
    if (face > 1) {
      this.pushWord(Kind.Emoticon, text.slice(at, at + face).toLowerCase());
      this.at = at + face;
    } else {
      this.pushWritten(at, end, false, joined);
      this.at = end;
    }
  }

  /** Reads characters that are neither words nor white space. */
  private symbol(code: number, kind: number): void {
    const { text, at } = this;
    const face = emoticonAt(text, at);
    if (face > 0) {
      this.pushWord(Kind.Emoticon, text.slice(at, at + face).toLowerCase());
      this.at += face;
    } else if (code === EXCLAMATION_MARK || code === QUESTION_MARK) {
      this.shout();
    } else if (code === DOT && text.charCodeAt(at + 1) === DOT) {
      this.push(Kind.Stop, '...');
      while (text.charCodeAt(this.at) === DOT) this.at++;
    } else if (code === HASH && classAt(text, at + 1) === Class.Letter) {
      this.hashtag();
    } else if (code >= 0xd800 && code <= 0xdbff) {
      const point = text.codePointAt(at)!;
      if (isPicture(point)) this.pushWord(Kind.Emoji, String.fromCodePoint(point));
      this.at += point > 0xffff ? 2 : 1;
    } else {
      if (STOPS.has(code)) this.push(Kind.Stop, text[at]!);
      else if (kind === Class.Emoji) this.pushWord(Kind.Emoji, text[at]!);
      else if (code >= FIRST_MARK && code <= LAST_MARK) this.push(Kind.Mark, text[at]!);
      this.at++;
    }
  }

  /** Ends a sentence unless the previous token already did. */
  private lineBreak(): void {
    const last = this.tokens.at(-1);
    if (last && last.kind !== Kind.Stop && last.kind !== Kind.Shout) this.push(Kind.Stop, '.');
  }

  private shout(): void {
    const { text } = this;
    let exclamations = 0;
    let questions = 0;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === EXCLAMATION_MARK) exclamations++;
      else if (code === QUESTION_MARK) questions++;
      else break;
    }
    this.push(Kind.Shout, '!'.repeat(Math.min(exclamations, 2)) + '?'.repeat(Math.min(questions, 2)));
  }

  private hashtag(): void {
    const start = this.at + 1;
    this.at = wordEnd(this.text, start);
    const body = this.text.slice(start, this.at);
    if (body.length > LONGEST_HASHTAG) this.pushWritten(start, this.at, true, false);
    else {
      for (const { 0: part, index } of body.matchAll(HASHTAG_WORDS)) {
        this.pushWritten(start + index, start + index + part.length, true, false);
      }
    }
  }

  private pushWritten(start: number, end: number, hashtag: boolean, joined: boolean): void {
    const word = this.words.find(this.text, start, end);
    const capital = this.text.charCodeAt(start) !== word.text.charCodeAt(0);
    const caps = capital && end - start > 1 && isUpperCase(this.text.slice(start, end));
    const kind = hashtag ? Kind.Word : kindOf(word.text);
    this.tokens.push({ kind, text: word.text, word, caps, capital, hashtag, joined });
  }

  private pushWord(kind: Kind, text: string): void {
    const word = this.words.get(text);
    this.tokens.push({ kind, text, word, caps: false, capital: false, hashtag: false, joined: false });
  }

  private push(kind: Kind, text: string): void {
    this.tokens.push({ kind, text, word: null, caps: false, capital: false, hashtag: false, joined: false });
  }
}

function isUpperCase(raw: string): boolean {
  return raw.toUpperCase() === raw;
}

function kindOf(lower: string): Kind {
  if (classAt(lower, 0) === Class.Digit && NUMBER.test(lower)) return Kind.Number;
  return lower.length <= 3 && isEmoticon(lower) ? Kind.Emoticon : Kind.Word;
}

function wordEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    if (isWordPart(classAt(text, at))) continue;
    const code = text.charCodeAt(at);
    // An apostrophe or a censoring asterisk belongs to the word when a letter follows.
    if ((code === APOSTROPHE || code === STAR) && classAt(text, at + 1) === Class.Letter) continue;
    break;
  }
  return at;
}

/** Separate from the analyzer's table, whose words contain results of its weights. */
const table = new WordTable();

/** The words and numbers of a text with markup, in lower case and in order. */
export function wordsOf(raw: string): string[] {
  return tokenize(plainText(raw), table)
    .filter(({ kind }) => kind === Kind.Word || kind === Kind.Number)
    .map(({ text }) => text);
}
