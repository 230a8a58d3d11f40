import { addToHash, EMPTY_HASH } from '../common/hash.js';
import {
  ASCII_LOWER,
  classOf,
  classOfCodePoint,
  DROPPED,
  foldOf,
  foldWord,
  IS_ASCII_WORD,
  SURROGATE,
  SYMBOL,
  WORD,
} from './character-classes.js';
import type { TermTable } from './term-table.js';
import { type Tokens, TokenKind } from './token-list.js';

/** Maximum number of parts that are read as one; further ones are words of their own. */
const MAX_PARTS = 16;
/** Longer joined spellings are no words. */
const LONGEST_JOINED = 40;
const MAX_JOINED = 6;
const DIGITS = /^\d+$/;
const LETTER = /^\p{L}$/u;
/** English endings after an apostrophe, which have no position of their own. */
const CLITICS = new Set(['s', 't', 'd', 'm', 'll', 're', 've']);
const CURRENCY = '$€£¥';
const AMP = 'amp;';

/** Reads words that touch symbols: `wi-fi`, `don't`, `C++`, `AT&T`, `node.js`, `$1,299.99`, `#tag`. */
export class Compounds {
  /** The position after the last word that was read. */
  position = 0;
  private text = '';
  private count = 0;
  private end = 0;
  /** Terms of the parts. */
  private readonly parts: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** Position of each part. */
  private readonly places: number[] = [];
  /** Symbol between each part and the next. */
  private readonly connectors: string[] = [];

  constructor(
    private readonly terms: TermTable,
    private readonly tokens: Tokens,
  ) {}

  /**
   * Reads the parts from `firstPart` on; `start` is the place of `prefix`, a symbol before them or empty. Returns the
   * place after what was read.
   */
  read(text: string, start: number, firstPart: number, prefix: string, position: number): number {
    this.text = text;
    this.position = position;
    this.count = 0;
    this.end = firstPart;
    this.readPart();
    while (this.count < MAX_PARTS && this.readConnector());
    const last = this.count - 1;
    const suffix = this.suffix();
    for (let part = 0; part <= last;) part = this.pushGroup(part);
    this.pushNames();
    this.pushDotted();
    if (prefix !== '') this.pushPrefixed(prefix, start);
    if (suffix !== '') {
      const form = this.form(last);
      const whole = CURRENCY.includes(suffix) ? suffix + form : form + suffix;
      this.end += suffix.length;
      this.pushSign(whole, last, last, this.starts[last]!, this.end);
    }
    return this.end;
  }

  private readPart(): void {
    const { text } = this;
    const start = this.end;
    let end = start;
    let hash = EMPTY_HASH;
    let isAscii = true;
    for (;;) {
      const unit = text.charCodeAt(end);
      if (unit < 128) {
        if (IS_ASCII_WORD[unit] !== 1) break;
        hash = addToHash(hash, ASCII_LOWER[unit]!);
        end += 1;
        continue;
      }
      if (end >= text.length) break;
      const kind = classOf(unit);
      const isPair = kind === SURROGATE;
      const whole = isPair ? classOfCodePoint(text.codePointAt(end)!) : kind;
      if (whole !== WORD && whole !== DROPPED) break;
      isAscii = false;
      end += isPair ? 2 : 1;
    }
    const term = isAscii
      ? this.terms.ofAscii(text, start, end, hash)
      : this.terms.ofRaw(text.slice(start, end));
    const at = this.count;
    this.parts[at] = term;
    this.starts[at] = start;
    this.ends[at] = end;
    this.count = at + 1;
    this.end = end;
  }

  /** Reads a symbol and the part after it; false when they do not belong to the parts before. */
  private readConnector(): boolean {
    const { text } = this;
    let at = this.end;
    if (text[at] === '\\') at += 1;
    if (at >= text.length || classOf(text.charCodeAt(at)) !== SYMBOL) return false;
    const symbol = foldOf(text.charCodeAt(at));
    if (!"-'_.,&".includes(symbol)) return false;
    at += 1;
    if (symbol === '&' && text.startsWith(AMP, at)) at += AMP.length;
    if (at >= text.length || classOfCodePoint(text.codePointAt(at)!) !== WORD) return false;
    const last = this.count - 1;
    const before = this.form(last);
    if (symbol === ',' && !(DIGITS.test(before) && isThousands(text, at))) return false;
    this.connectors[last] = symbol;
    this.end = at;
    this.readPart();
    if (symbol === ',') {
      // The separator of thousands: both parts are one number.
      this.count -= 1;
      this.parts[last] = this.terms.ofForm(before + this.form(this.count));
      this.ends[last] = this.end;
    }
    return true;
  }

  /** The sign after the last part that belongs to it: `C++`, `C#`, `40%`, `20€`. */
  private suffix(): string {
    const { text, end } = this;
    if (end >= text.length || classOf(text.charCodeAt(end)) !== SYMBOL) return '';
    const symbol = foldOf(text.charCodeAt(end));
    const isNumber = DIGITS.test(this.form(this.count - 1));
    let after = end + 1;
    if (symbol === '+') {
      while (after < end + 2 && after < text.length && foldOf(text.charCodeAt(after)) === '+') after += 1;
      return after - end === 2 || !isWordAt(text, after) ? '+'.repeat(after - end) : '';
    }
    if (symbol === '#') return isWordAt(text, after) ? '' : symbol;
    return isNumber && (symbol === '%' || CURRENCY.includes(symbol)) && !isWordAt(text, after) ? symbol : '';
  }

  /** Appends the parts from `first` on that hyphens, underscores and apostrophes join; returns the part after them. */
  private pushGroup(first: number): number {
    let last = first;
    while (last + 1 < this.count && "-'_".includes(this.connectors[last]!)) last += 1;
    const hasClitic = last > first && this.connectors[last - 1] === "'" && CLITICS.has(this.form(last));
    const lastWord = hasClitic ? last - 1 : last;
    const isNegation = hasClitic && this.form(last) === 't' && this.form(lastWord).endsWith('n');
    for (let part = first; part <= lastWord; part += 1) {
      this.places[part] = this.position;
      if (!isNegation || part < lastWord) this.push(part);
      this.position += 1;
    }
    if (hasClitic) this.places[last] = this.position - 1;
    if (last > first && last - first < MAX_JOINED) {
      let joined = '';
      for (let part = first; part <= last; part += 1) joined += this.form(part);
      if (joined.length <= LONGEST_JOINED) this.pushJoined(joined, first, last, TokenKind.Joined);
    }
    return last + 1;
  }

  /** Names with an ampersand: `AT&T`. */
  private pushNames(): void {
    for (let first = 0; first + 1 < this.count; first += 1) {
      if (this.connectors[first] !== '&') continue;
      let last = first;
      let form = this.form(first);
      while (last + 1 < this.count && this.connectors[last] === '&') form += `&${this.form((last += 1))}`;
      this.pushSign(form, first, last, this.starts[first]!, this.ends[last]!);
      first = last;
    }
  }

  /** Abbreviations (`U.S.A.`) and numbers with dots between thousands. */
  private pushDotted(): void {
    const last = this.count - 1;
    if (last === 0) return;
    for (let part = 0; part < last; part += 1) if (this.connectors[part] !== '.') return;
    const forms = this.parts.slice(0, this.count).map((_, part) => this.form(part));
    if (forms.every((form) => LETTER.test(form)))
      this.pushJoined(forms.join(''), 0, last, last > 1 ? TokenKind.Joined : TokenKind.Repeat);
    else if (forms.every((form, part) => /^\d{3}$/.test(form) || (part === 0 && /^\d{1,2}$/.test(form))))
      this.pushJoined(forms.join(''), 0, last, TokenKind.Joined);
  }

  private pushPrefixed(prefix: string, start: number): void {
    let last = 0;
    let form = this.form(0);
    if ('#@'.includes(prefix))
      while (last + 1 < this.count && '-_'.includes(this.connectors[last]!)) form += this.form((last += 1));
    this.pushSign(prefix + form, 0, last, start, this.ends[last]!);
  }

  private form(part: number): string {
    return this.terms.term(this.parts[part]!).form;
  }

  private push(part: number): void {
    this.tokens.push(
      this.parts[part]!,
      this.places[part]!,
      this.starts[part]!,
      this.ends[part]!,
      TokenKind.Word,
      1,
    );
  }

  private pushJoined(form: string, first: number, last: number, kind: TokenKind): void {
    this.pushWhole(form, first, last, this.starts[first]!, this.ends[last]!, kind);
  }

  private pushSign(form: string, first: number, last: number, start: number, end: number): void {
    this.pushWhole(form, first, last, start, end, TokenKind.Sign);
  }

  private pushWhole(
    form: string,
    first: number,
    last: number,
    start: number,
    end: number,
    kind: TokenKind,
  ): void {
    const term = this.terms.ofForm(form);
    const [from, to] = [this.places[first]!, this.places[last]!];
    this.tokens.push(term, from, start, end, kind, to - from + 1);
    if (to > from) this.tokens.push(term, to, start, end, TokenKind.Repeat, 1);
  }
}

/** Whether exactly three digits follow. */
const isThousands = (text: string, at: number): boolean =>
  /^\d{3}(?!\w)/.test(foldWord(text.slice(at, at + 4)));

const isWordAt = (text: string, at: number): boolean =>
  at < text.length && classOfCodePoint(text.codePointAt(at)!) === WORD;
