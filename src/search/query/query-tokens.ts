import { narrowSyntax } from './narrow.js';
import { fieldOf, type Written } from './operands.js';
import type { Notice } from './query-tree.js';

/** A word, phrase or comparison, with the field that it names. */
export interface OperandToken extends Written {
  kind: 'operand';
  field: string | null;
  /** Place of the token in the query, and of its text after the name of its field. */
  start: number;
  textStart: number;
  end: number;
}

/** A token of the query language. `open` may have the field of a group. */
export type Token =
  | OperandToken
  | { kind: 'open'; field: string | null; start: number; end: number }
  | { kind: 'close' | 'not' | 'and' | 'or'; start: number; end: number };

const SPACE = /\s/;
/** Characters that end an unquoted word. */
const WORD_END = /[\s()"]/;
const FIELD = /([a-z][a-z_]{1,29}):(?=[^\s)])/iy;
const URL = /^\/\//;
const DISTANCE = /~(\d{1,6})/y;
/** Splits a query into tokens, whose texts are as written. Unclosed quotes end with the query. */
export function tokenize(query: string, notices: Notice[]): Token[] {
  const text = narrowSyntax(query);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (SPACE.test(character)) at += 1;
    else if (character === ')') {
      tokens.push({ kind: 'close', start: at, end: at + 1 });
      at += 1;
    } else if (character === '(') {
      tokens.push({ kind: 'open', field: null, start: at, end: at + 1 });
      at += 1;
    } else if (isNegation(text, at)) {
      tokens.push({ kind: 'not', start: at, end: at + 1 });
      at += 1;
    } else {
      const token = readOperand(text, query, at, notices);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

/** `-` or `!` directly before an operand. */
const isNegation = (text: string, at: number): boolean =>
  (text[at] === '-' || text[at] === '!') && at + 1 < text.length && !/[\s)\-!]/.test(text[at + 1]!);

function readOperand(text: string, query: string, start: number, notices: Notice[]): Token {
  let at = start;
  let field: string | null = null;
  FIELD.lastIndex = at;
  const name = FIELD.exec(text);
  if (name !== null) {
    field = fieldOf(name[1]!);
    const end = at + name[0].length;
    if (field !== null) at = end;
    else if (!URL.test(text.slice(end)))
      notices.push({
        position: at,
        length: name[0].length,
        message: `The field \`${name[1]!}\` is unknown, so it is searched as text.`,
      });
  }
  if (field !== null && text[at] === '(') return { kind: 'open', field, start, end: at + 1 };
  const isExact = text[at] === '=' && at + 1 < text.length && !WORD_END.test(text[at + 1]!.replace('"', ''));
  if (isExact) at += 1;
  const textStart = at;
  if (text[at] === '"') {
    const close = text.indexOf('"', at + 1);
    if (close === -1)
      notices.push({ position: at, length: text.length - at, message: 'The quotation mark is not closed.' });
    const inner = query.slice(at + 1, close === -1 ? text.length : close);
    let end = close === -1 ? text.length : close + 1;
    DISTANCE.lastIndex = end;
    const near = DISTANCE.exec(text);
    if (near !== null) end += near[0].length;
    const distance = near === null ? null : Number(near[1]);
    return { kind: 'operand', field, text: inner, isQuoted: true, isExact, distance, start, textStart, end };
  }
  let end = at;
  while (end < text.length && !WORD_END.test(text[end]!)) end += 1;
  const word = text.slice(at, end);
  if (field === null && !isExact) {
    const operator =
      word === 'OR' || word === 'or' ? 'or' : word === 'AND' ? 'and' : word === 'NOT' ? 'not' : null;
    if (operator !== null) return { kind: operator, start, end };
  }
  return {
    kind: 'operand',
    field,
    text: query.slice(at, end),
    isQuoted: false,
    isExact,
    distance: null,
    start,
    textStart,
    end,
  };
}
