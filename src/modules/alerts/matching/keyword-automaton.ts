import { GLUED, IS_WORD, type TokenScanner } from './token-scanner.js';

/** A keyword as tokens: what the scanner made of it. */
export interface KeywordTokens {
  ids: readonly number[];
  /** GLUED and IS_WORD, one entry a token. */
  flags: readonly number[];
}

const ROOT = 0;
const NONE = -1;

/** Layout of a node: where to go on when a step fails, the keyword that ends here, the node of the next shorter one. */
const NODE = 4;
const FAIL = 0;
const KEYWORD = 1;
const SHORTER = 2;
/** 1 when steps lead on from the node. */
const INNER = 3;

/**
 * Aho-Corasick over tokens rather than characters: a text is walked once whatever the number of keywords, and a step
 * is taken per word instead of per letter. Whether two tokens of a keyword touch belongs to the step between them;
 * what stands before its first token does not. The step from the root by token `id` leads to node `id + 1`.
 */
export class KeywordAutomaton {
  private readonly nodes: Int32Array;
  private readonly edges: EdgeTable;
  /** Number of the keyword each given one became: equal ones share a number. */
  readonly numbers: readonly number[];
  readonly size: number;
  private readonly lengths: Int32Array;
  private readonly guards: Uint8Array;

  constructor(vocabularySize: number, keywords: readonly KeywordTokens[]) {
    const trie = new TrieBuilder(vocabularySize);
    const distinct: KeywordTokens[] = [];
    this.numbers = keywords.map((keyword) => {
      const number = trie.add(keyword, distinct.length);
      if (number === distinct.length) distinct.push(keyword);
      return number;
    });
    this.size = distinct.length;
    this.lengths = Int32Array.from(distinct, ({ ids }) => ids.length);
    this.guards = Uint8Array.from(distinct, guardsOf);
    this.edges = new EdgeTable(trie.edges);
    this.nodes = new Int32Array(trie.keywordAt.length * NODE);
    trie.keywordAt.forEach((keyword, node) => (this.nodes[node * NODE + KEYWORD] = keyword));
    for (const edge of trie.edgesByDepth()) this.link(edge);
  }

  /** Calls `found` with a keyword's number for every place where it stands, in order of where they end. */
  walk(scanner: TokenScanner, found: (keyword: number) => void): void {
    const { ids, flags, count } = scanner;
    const { nodes } = this;
    let state = ROOT;
    for (let at = 0; at < count; at += 1) {
      const id = ids[at]!;
      if (id < 0) {
        state = ROOT;
        continue;
      }
      state = this.step(state, id, flags[at]! & GLUED);
      for (let node = state; node !== ROOT; node = nodes[node * NODE + SHORTER]!) {
        const keyword = nodes[node * NODE + KEYWORD]!;
        if (keyword !== NONE && this.stands(keyword, at, flags, count)) found(keyword);
      }
    }
  }

  private step(from: number, id: number, glue: number): number {
    for (let state = from; state !== ROOT; state = this.nodes[state * NODE + FAIL]!) {
      if (this.nodes[state * NODE + INNER] === 0) continue;
      const next = this.edges.get(state, symbolOf(id, glue));
      if (next !== NONE) return next;
    }
    return id + 1;
  }

  private link({ from, id, glue, to }: TrieEdge): void {
    const { nodes } = this;
    nodes[from * NODE + INNER] = 1;
    const suffix = this.step(nodes[from * NODE + FAIL]!, id, glue);
    nodes[to * NODE + FAIL] = suffix;
    nodes[to * NODE + SHORTER] =
      nodes[suffix * NODE + KEYWORD] === NONE ? nodes[suffix * NODE + SHORTER]! : suffix;
  }

  /** A keyword that begins or ends with a punctuation mark must not touch a word there: no `.net` in `asp.net`. */
  private stands(keyword: number, end: number, flags: Uint8Array, count: number): boolean {
    const guard = this.guards[keyword]!;
    if (guard === 0) return true;
    const start = end - this.lengths[keyword]! + 1;
    const touchesBefore = start > 0 && (flags[start]! & GLUED) !== 0 && (flags[start - 1]! & IS_WORD) !== 0;
    if ((guard & GUARD_START) !== 0 && touchesBefore) return false;
    const after = end + 1 < count ? flags[end + 1]! : 0;
    return (guard & GUARD_END) === 0 || after !== (GLUED | IS_WORD);
  }
}

const GUARD_START = 1;
const GUARD_END = 2;
/** Set by the caller in the flags of a keyword's token that is a punctuation mark. */
export const IS_PUNCTUATION = 4;

function guardsOf({ flags }: KeywordTokens): number {
  const start = flags[0]! & IS_PUNCTUATION ? GUARD_START : 0;
  return start | (flags.at(-1)! & IS_PUNCTUATION ? GUARD_END : 0);
}

function symbolOf(id: number, glue: number): number {
  return id * 2 + glue;
}

/** A step from an inner node; those from the root need no table. */
interface TrieEdge {
  from: number;
  id: number;
  glue: number;
  to: number;
  depth: number;
}

class TrieBuilder {
  /** The keyword that ends in a node; NONE for none. */
  readonly keywordAt: number[];
  readonly edges: TrieEdge[] = [];
  private readonly children = new Map<string, number>();

  constructor(vocabularySize: number) {
    this.keywordAt = new Array<number>(vocabularySize + 1).fill(NONE);
  }

  /** Adds a keyword; returns its number, or that of the equal one that came before. */
  add({ ids, flags }: KeywordTokens, number: number): number {
    let node = ids[0]! + 1;
    for (let depth = 1; depth < ids.length; depth += 1)
      node = this.child(node, ids[depth]!, flags[depth]! & GLUED, depth);
    if (this.keywordAt[node] === NONE) this.keywordAt[node] = number;
    return this.keywordAt[node]!;
  }

  edgesByDepth(): TrieEdge[] {
    return [...this.edges].sort((a, b) => a.depth - b.depth);
  }

  private child(from: number, id: number, glue: number, depth: number): number {
    const key = `${from}:${symbolOf(id, glue)}`;
    const known = this.children.get(key);
    if (known !== undefined) return known;
    const to = this.keywordAt.push(NONE) - 1;
    this.children.set(key, to);
    this.edges.push({ from, id, glue, to, depth });
    return to;
  }
}

/** (node, symbol) to node, by open addressing. */
class EdgeTable {
  private readonly from: Int32Array;
  private readonly symbols: Int32Array;
  private readonly to: Int32Array;
  private readonly mask: number;

  constructor(edges: readonly TrieEdge[]) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, edges.length * 2)));
    this.mask = size - 1;
    this.from = new Int32Array(size).fill(NONE);
    this.symbols = new Int32Array(size);
    this.to = new Int32Array(size);
    for (const { from, id, glue, to } of edges) {
      const symbol = symbolOf(id, glue);
      let slot = this.slotOf(from, symbol);
      while (this.from[slot] !== NONE) slot = (slot + 1) & this.mask;
      this.from[slot] = from;
      this.symbols[slot] = symbol;
      this.to[slot] = to;
    }
  }

  get(from: number, symbol: number): number {
    for (let slot = this.slotOf(from, symbol); this.from[slot] !== NONE; slot = (slot + 1) & this.mask)
      if (this.from[slot] === from && this.symbols[slot] === symbol) return this.to[slot]!;
    return NONE;
  }

  private slotOf(from: number, symbol: number): number {
    const hash = Math.imul(from, 0x9e3779b1) ^ Math.imul(symbol, 0x85ebca6b);
    return (hash ^ (hash >>> 15)) & this.mask;
  }
}
