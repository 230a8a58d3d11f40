import { QUERY_FIELDS, type QueryField, type QueryNode } from './query-tree.js';

/** A token, with the `-` and the field name that precede it. */
interface OperandToken {
  kind: 'operand';
  isNegated: boolean;
  node: QueryNode;
}

interface OpenToken {
  kind: 'open';
  isNegated: boolean;
}

type Token = OperandToken | OpenToken | { kind: 'close' } | { kind: 'or' };

const SPACE = /\s/;
/** Characters that end an unquoted word. */
const WORD_END = /[\s()"]/;
const FIELD_PREFIX = /^(title|author|forum|flair):(?=[^\s()])/i;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
/** Maximum number of characters read from a query, since every word costs time. */
const MAX_LENGTH = 1_000;

/** The part of a query that is read: the whole words within its first 1,000 characters. */
export function readablePart(query: string): string {
  return query.length <= MAX_LENGTH ? query : query.slice(0, MAX_LENGTH).replace(/\s\S*$/, '');
}

/**
 * Parses the query language of `q`: words, `"phrases"`, `OR`, `-not`, parentheses, `prefix*`, `title:word`,
 * `author:name`, `forum:name`, `flair:name`. `OR` binds more loosely than the space between words. Never throws:
 * whatever cannot be parsed is treated as text, and unclosed quotes and parentheses end with the query. Returns null
 * for a query without an operand.
 */
export function parseQuery(query: string): QueryNode | null {
  const tokens = tokenize(query);
  let next = 0;

  const parseOr = (): QueryNode | null => {
    const operands: QueryNode[] = [];
    for (;;) {
      const operand = parseAnd();
      if (operand !== null) operands.push(operand);
      if (tokens[next]?.kind !== 'or') return group('or', operands);
      next += 1;
    }
  };

  const parseAnd = (): QueryNode | null => {
    const operands: QueryNode[] = [];
    for (let token = tokens[next]; token !== undefined; token = tokens[next]) {
      if (token.kind === 'or' || token.kind === 'close') break;
      next += 1;
      const node = token.kind === 'operand' ? token.node : parseParenthesis();
      if (node !== null) operands.push(token.isNegated ? { kind: 'not', operand: node } : node);
    }
    return group('and', operands);
  };

  const parseParenthesis = (): QueryNode | null => {
    const node = parseOr();
    if (tokens[next]?.kind === 'close') next += 1;
    return node;
  };

  const parts: QueryNode[] = [];
  // An unmatched closing parenthesis ends an expression; the next expression is joined to it by AND.
  while (next < tokens.length) {
    const node = parseParenthesis();
    if (node !== null) parts.push(node);
  }
  return group('and', parts);
}

/** Returns a single operand unchanged and merges operands of the same kind. */
function group(kind: 'and' | 'or', operands: readonly QueryNode[]): QueryNode | null {
  const flat = operands.flatMap((operand) => (operand.kind === kind ? operand.operands : [operand]));
  if (flat.length < 2) return flat[0] ?? null;
  return { kind, operands: flat };
}

function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    if (SPACE.test(query[at]!)) {
      at += 1;
      continue;
    }
    if (query[at] === ')') {
      tokens.push({ kind: 'close' });
      at += 1;
      continue;
    }
    const isNegated = query[at] === '-' && at + 1 < query.length && !/[\s)-]/.test(query[at + 1]!);
    if (isNegated) at += 1;
    if (query[at] === '(') {
      tokens.push({ kind: 'open', isNegated });
      at += 1;
      continue;
    }
    const field = FIELD_PREFIX.exec(query.slice(at, at + MAX_FIELD_PREFIX));
    if (field !== null) at += field[0].length;
    const { text, isQuoted, end } = readText(query, at);
    at = end;
    if (!isQuoted && !isNegated && field === null && text.toLowerCase() === 'or') tokens.push({ kind: 'or' });
    else {
      const node = operandOf(field?.[1]?.toLowerCase() ?? null, text, isQuoted);
      if (node !== null) tokens.push({ kind: 'operand', isNegated, node });
    }
  }
  return tokens;
}

/** Length of the longest field name with its colon, plus one character. */
const MAX_FIELD_PREFIX = 8;

function readText(query: string, from: number): { text: string; isQuoted: boolean; end: number } {
  if (query[from] === '"') {
    const close = query.indexOf('"', from + 1);
    const end = close === -1 ? query.length : close;
    return { text: query.slice(from + 1, end), isQuoted: true, end: Math.min(end + 1, query.length) };
  }
  let end = from;
  while (end < query.length && !WORD_END.test(query[end]!)) end += 1;
  return { text: query.slice(from, end), isQuoted: false, end };
}

function operandOf(field: string | null, text: string, isQuoted: boolean): QueryNode | null {
  const value = text.trim();
  if (value === '') return null;
  if (field !== null && isQueryField(field)) return { kind: 'field', field, value };
  const isPrefix = !isQuoted && value.endsWith('*') && WORD_CHARACTER.test(value.at(-2) ?? '');
  return {
    kind: 'text',
    text: isPrefix ? value.slice(0, -1) : value,
    isPrefix,
    inTitle: field === 'title',
  };
}

function isQueryField(name: string): name is QueryField {
  return (QUERY_FIELDS as readonly string[]).includes(name);
}
