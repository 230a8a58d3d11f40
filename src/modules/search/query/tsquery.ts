/** A word of a query. */
export interface QueryWord {
  kind: 'word';
  lexeme: string;
  /** Stands for every lexeme that begins so. */
  isPrefix: boolean;
  inTitle: boolean;
}

/** A query over words as Postgres understands it, without phrases. */
export type WordQuery =
  QueryWord | { kind: 'not'; operand: WordQuery } | { kind: 'and' | 'or'; operands: WordQuery[] };

const TOKEN = /\s*(?:'((?:[^'\\]|''|\\.)*)'(?::([*A-D]+))?|([()!&|])|<(?:-|\d+)>)/suy;

/** The tokens of a `tsquery` as Postgres writes it: words, operators, and `phrase` between neighbouring words. */
function tokensOf(text: string): (string | QueryWord)[] {
  const tokens: (string | QueryWord)[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`Unexpected tsquery: ${text}`);
    const [, quoted, marks = '', operator] = match;
    if (operator !== undefined) tokens.push(operator);
    else if (quoted === undefined) tokens.push('phrase');
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

/** The different words of a `tsquery` as Postgres writes it, also those of phrases, in their order. */
export function wordsOf(text: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  for (const token of tokensOf(text))
    if (typeof token === 'object') words.set(JSON.stringify(Object.values(token)), token);
  return [...words.values()];
}

/** A word as a `tsquery` that needs no stemming, wherever the word occurs. */
export function wordAsTsquery({ lexeme, isPrefix }: QueryWord): string {
  const quoted = `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return isPrefix ? `${quoted}:*` : quoted;
}

/** Reads a `tsquery` as Postgres writes it: null when it is empty, `phrase` when it asks for neighbouring words. */
export function readTsquery(text: string): WordQuery | 'phrase' | null {
  const tokens = tokensOf(text);
  if (tokens.includes('phrase')) return 'phrase';
  if (tokens.length === 0) return null;
  let next = 0;

  const group = (kind: 'and' | 'or', operator: string, parseOperand: () => WordQuery): WordQuery => {
    const operands = [parseOperand()];
    while (tokens[next] === operator) {
      next += 1;
      operands.push(parseOperand());
    }
    return operands.length === 1 ? operands[0]! : { kind, operands };
  };
  const parseOr = (): WordQuery => group('or', '|', parseAnd);
  const parseAnd = (): WordQuery => group('and', '&', parseOperand);
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
  return parseOr();
}
