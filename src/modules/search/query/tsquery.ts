/** A word of a query. */
export interface QueryWord {
  kind: 'word';
  lexeme: string;
  /** Whether the word matches every lexeme that begins with it. */
  isPrefix: boolean;
  inTitle: boolean;
}

/** A query over words as Postgres parses it. The distances of a phrase are the positions from each word to the next. */
export type WordQuery =
  | QueryWord
  | { kind: 'phrase'; words: QueryWord[]; distances: number[] }
  | { kind: 'not'; operand: WordQuery }
  | { kind: 'and' | 'or'; operands: WordQuery[] };

/** Words, distances between words, and operators. */
type Token = string | number | QueryWord;

const TOKEN = /\s*(?:'((?:[^'\\]|''|\\.)*)'(?::([*A-D]+))?|([()!&|])|<(-|\d+)>)/suy;

/** The tokens of a `tsquery` as Postgres writes it. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`Unexpected tsquery: ${text}`);
    const [, quoted, marks = '', operator, distance] = match;
    if (operator !== undefined) tokens.push(operator);
    else if (quoted === undefined) tokens.push(distance === '-' ? 1 : Number(distance));
    else
      tokens.push({
        kind: 'word',
        lexeme: quoted.replace(/''|\\(.)/gs, (pair, escaped?: string) => escaped ?? pair[0]!),
        isPrefix: marks.includes('*'),
        inTitle: marks.includes('A'),
      });
  }
  return tokens;
}

/** The distinct words of a `tsquery` as Postgres writes it, including those of phrases, in order. */
export function wordsOf(text: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  for (const token of tokensOf(text))
    if (typeof token === 'object') words.set(JSON.stringify(Object.values(token)), token);
  return [...words.values()];
}

/** A word as a `tsquery` that needs no stemming and matches anywhere in the row. */
export function wordAsTsquery({ lexeme, isPrefix }: QueryWord): string {
  const quoted = `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return isPrefix ? `${quoted}:*` : quoted;
}

/**
 * Parses a `tsquery` as Postgres writes it: null when it is empty, `unreadable` when a phrase has a part that is not a
 * whole word.
 */
export function readTsquery(text: string): WordQuery | 'unreadable' | null {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return null;
  let next = 0;
  let isReadable = true;

  const group = (kind: 'and' | 'or', operator: string, parseOperand: () => WordQuery): WordQuery => {
    const operands = [parseOperand()];
    while (tokens[next] === operator) {
      next += 1;
      operands.push(parseOperand());
    }
    return operands.length === 1 ? operands[0]! : { kind, operands };
  };
  const parseOr = (): WordQuery => group('or', '|', parseAnd);
  const parseAnd = (): WordQuery => group('and', '&', parsePhrase);
  const parsePhrase = (): WordQuery => {
    const operands = [parseOperand()];
    const distances: number[] = [];
    for (let token = tokens[next]; typeof token === 'number'; token = tokens[next]) {
      next += 1;
      distances.push(token);
      operands.push(parseOperand());
    }
    if (distances.length === 0) return operands[0]!;
    const words = operands.filter((operand) => operand.kind === 'word' && !operand.isPrefix) as QueryWord[];
    isReadable &&= words.length === operands.length;
    return { kind: 'phrase', words, distances };
  };
  const parseOperand = (): WordQuery => {
    const token = tokens[next];
    next += 1;
    if (token === '!') return { kind: 'not', operand: parseOperand() };
    if (token === '(') {
      const inner = parseOr();
      next += 1;
      return inner;
    }
    if (typeof token !== 'object') throw new Error(`Unexpected tsquery: ${text}`);
    return token;
  };
  const query = parseOr();
  return isReadable ? query : 'unreadable';
}
