import { operandOf, wordsOf } from './operands.js';
import type { Notice, QueryNode } from './query-tree.js';
import { type OperandToken, type Token, tokenize } from './query-tokens.js';

/** Maximum number of characters of a query. */
export const MAX_QUERY_LENGTH = 4_000;
/** Parentheses and negations nest at most so deep; further ones are left out. */
const MAX_DEPTH = 100;

/** A query as understood. */
export interface ParsedQuery {
  /** Null for a query without anything to search. */
  tree: QueryNode | null;
  notices: Notice[];
}

/**
 * Parses the language of `q` (docs/search.md). `OR` binds more loosely than the space between operands. Never throws:
 * parts without a meaning are searched as text, and every such change has a notice.
 */
export function parseQuery(query: string): ParsedQuery {
  const notices: Notice[] = [];
  const tokens = tokenize(query, notices);
  const parser = new Parser(tokens, notices);
  const tree = parser.run() ?? operatorsAsText(tokens, query);
  return { tree, notices: notices.sort((a, b) => a.position - b.position) };
}

/** A query that consists only of operators names the words that they are: `or`, `NOT`. */
function operatorsAsText(tokens: readonly Token[], query: string): QueryNode | null {
  const words = tokens.filter(
    ({ kind, start, end }) => end - start > 1 && kind !== 'operand' && kind !== 'open',
  );
  const operands = words.map(({ start, end }): QueryNode => ({
    kind: 'words',
    text: query.slice(start, end),
    isExact: false,
    isPrefix: false,
    field: null,
  }));
  return group('and', operands);
}

class Parser {
  private next = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly notices: Notice[],
  ) {}

  run(): QueryNode | null {
    const parts: QueryNode[] = [];
    // An unmatched closing parenthesis ends an expression; the next expression is joined to it by AND.
    while (this.next < this.tokens.length) {
      const node = this.parseOr(null);
      if (node !== null) parts.push(node);
      const token = this.tokens[this.next];
      if (token === undefined) break;
      this.next += 1;
      this.say(token, 'The parenthesis closes nothing, so it is left out.');
    }
    return group('and', parts);
  }

  /** `field` is the field of the surrounding group. */
  private parseOr(field: string | null): QueryNode | null {
    const operands: QueryNode[] = [];
    for (;;) {
      const operand = this.parseAnd(field);
      if (operand !== null) operands.push(operand);
      const token = this.tokens[this.next];
      if (token?.kind !== 'or') return group('or', operands);
      this.next += 1;
      if (operand === null || !this.hasOperandAhead())
        this.say(token, 'The operator has nothing to join, so it is left out.');
    }
  }

  private parseAnd(field: string | null): QueryNode | null {
    const operands: QueryNode[] = [];
    for (let token = this.tokens[this.next]; token !== undefined; token = this.tokens[this.next]) {
      if (token.kind === 'or' || token.kind === 'close') break;
      if (token.kind === 'and') {
        this.next += 1;
        if (operands.length === 0 || !this.hasOperandAhead())
          this.say(token, 'The operator has nothing to join, so it is left out.');
        continue;
      }
      const node = this.parseUnary(field);
      if (node !== null) operands.push(node);
    }
    return group('and', operands);
  }

  private parseUnary(field: string | null): QueryNode | null {
    const token = this.tokens[this.next]!;
    this.next += 1;
    if (token.kind === 'operand') return this.operand(token, field);
    if (token.kind === 'not') {
      if (!this.hasOperandAhead()) {
        this.say(token, 'The operator has nothing to exclude, so it is left out.');
        return null;
      }
      return this.nested(token, () => {
        const operand = this.parseUnary(field);
        return operand && { kind: 'not', operand };
      });
    }
    const inner = token.kind === 'open' ? (token.field ?? field) : field;
    return this.nested(token, () => {
      const node = this.parseOr(inner);
      const close = this.tokens[this.next];
      if (close?.kind === 'close') this.next += 1;
      else this.say(token, 'The parenthesis is not closed.');
      return node;
    });
  }

  /** Beyond the maximum depth the token is left out, which the surrounding expression then reads on. */
  private nested(token: Token, parse: () => QueryNode | null): QueryNode | null {
    if (this.depth >= MAX_DEPTH) {
      this.say(token, `At most ${MAX_DEPTH} levels can be nested, so it is left out.`);
      return null;
    }
    this.depth += 1;
    try {
      return parse();
    } finally {
      this.depth -= 1;
    }
  }

  private hasOperandAhead(): boolean {
    const kind = this.tokens[this.next]?.kind;
    return kind === 'operand' || kind === 'open' || kind === 'not';
  }

  private operand(token: OperandToken, group: string | null): QueryNode | null {
    const say = (message: string): void => this.say(token, message);
    const node = operandOf(token.field ?? group, token, say);
    if (typeof node === 'string') {
      say(`${node} It is searched as text.`);
      const text = token.field === null ? token.text : `${token.field}:${token.text}`;
      return wordsOf(null, { ...token, text, distance: null }, say);
    }
    if (node === null) say('This contains nothing that can be found, so it is left out.');
    return node;
  }

  private say({ start, end }: Token, message: string): void {
    this.notices.push({ position: start, length: end - start, message });
  }
}

/** Returns a single operand unchanged and merges operands of the same kind. */
function group(kind: 'and' | 'or', operands: readonly QueryNode[]): QueryNode | null {
  const flat = operands.flatMap((operand) => (operand.kind === kind ? operand.operands : [operand]));
  if (flat.length < 2) return flat[0] ?? null;
  return { kind, operands: flat };
}
