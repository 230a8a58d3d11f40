import { GLUED, IS_WORD, type TokenScanner } from './token-scanner.js';

/** A keyword as tokens: what the scanner made of it. */
export interface KeywordTokens {
  ids: readonly number[];
  /** GLUED and IS_WORD, one entry a token. */
  flags: readonly number[];
}

const ROOT = 0;
const NONE = -1;

/**
 * Aho-Corasick over tokens rather than characters: a text is walked once whatever the number of keywords, and a step
 * is taken per word instead of per letter. Whether two tokens of a keyword touch belongs to the step between them;
 * what stands before its first token does not.
 */
export class KeywordAutomaton {
  private readonly rootEdges: Int32Array;
  private readonly fail: Int32Array;
  /** The keyword that ends in a node; NONE for none. */
  private readonly keywordAt: Int32Array;
  /** The next shorter keyword's node that ends where a node ends; ROOT for none. */
  private readonly shorter: Int32Array;
  private readonly isInner: Uint8Array;
  private readonly edges: EdgeTable;
  /** Number of the keyword each given one became: equal ones share a number. */
  readonly numbers: readonly number[];
  readonly size: number;
  private readonly lengths: readonly number[];
  private readonly guards: readonly number[];

  constructor(vocabularySize: number, keywords: readonly KeywordTokens[]) {
    const trie = new TrieBuilder(vocabularySize);
    const distinct: KeywordTokens[] = [];
    this.numbers = keywords.map((keyword) => {
      const number = trie.add(keyword, distinct.length);
      if (number === distinct.length) distinct.push(keyword);
      return number;
    });
    this.size = distinct.length;
    this.lengths = distinct.map(({ ids }) => ids.length);
    this.guards = distinct.map(guardsOf);
    this.rootEdges = trie.rootEdges;
    this.edges = new EdgeTable(trie.edges);
    this.keywordAt = Int32Array.from(trie.keywordAt);
    this.fail = new Int32Array(trie.keywordAt.length);
    this.shorter = new Int32Array(trie.keywordAt.length);
    this.isInner = new Uint8Array(trie.keywordAt.length);
    for (const node of trie.nodesByDepth()) this.link(node);
  }

  /** Calls `found` with a keyword's number for every place where it stands, in order of where they end. */
  walk(scanner: TokenScanner, found: (keyword: number) => void): void {
    const { ids, flags, count } = scanner;
    let state = ROOT;
    for (let at = 0; at < count; at += 1) {
      const id = ids[at]!;
      if (id < 0) {
        state = ROOT;
        continue;
      }
      state = this.step(state, id, flags[at]! & GLUED);
      for (let node = state; node !== ROOT; node = this.shorter[node]!) {
        const keyword = this.keywordAt[node]!;
        if (keyword !== NONE && this.stands(keyword, at, flags, count)) found(keyword);
      }
    }
  }

  private step(from: number, id: number, glue: number): number {
    for (let state = from; state !== ROOT; state = this.fail[state]!) {
      if (this.isInner[state] === 0) continue;
      const next = this.edges.get(state, symbolOf(id, glue));
      if (next !== NONE) return next;
    }
    return this.rootEdges[id]!;
  }

  private link({ node, parent, id, glue }: TrieNode): void {
    if (parent !== ROOT) {
      this.isInner[parent] = 1;
      this.fail[node] = this.step(this.fail[parent]!, id, glue);
    }
    const suffix = this.fail[node]!;
    this.shorter[node] = this.keywordAt[suffix] === NONE ? this.shorter[suffix]! : suffix;
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

interface TrieNode {
  node: number;
  parent: number;
  id: number;
  glue: number;
}

class TrieBuilder {
  readonly rootEdges: Int32Array;
  readonly keywordAt: number[] = [NONE];
  readonly edges: { from: number; symbol: number; to: number }[] = [];
  private readonly children = new Map<string, number>();
  private readonly nodes: (TrieNode & { depth: number })[] = [];

  constructor(vocabularySize: number) {
    this.rootEdges = new Int32Array(vocabularySize);
  }

  /** Adds a keyword; returns its number, or that of the equal one that came before. */
  add({ ids, flags }: KeywordTokens, number: number): number {
    let node = ROOT;
    ids.forEach((id, depth) => (node = this.child(node, id, flags[depth]! & GLUED, depth)));
    if (this.keywordAt[node] === NONE) this.keywordAt[node] = number;
    return this.keywordAt[node]!;
  }

  nodesByDepth(): TrieNode[] {
    return this.nodes.sort((a, b) => a.depth - b.depth);
  }

  private child(parent: number, id: number, glue: number, depth: number): number {
    const key = parent === ROOT ? `${id}` : `${parent}:${symbolOf(id, glue)}`;
    const known = this.children.get(key);
    if (known !== undefined) return known;
    const node = this.keywordAt.push(NONE) - 1;
    this.children.set(key, node);
    this.nodes.push({ node, parent, id, glue, depth });
    if (parent === ROOT) this.rootEdges[id] = node;
    else this.edges.push({ from: parent, symbol: symbolOf(id, glue), to: node });
    return node;
  }
}

/** (node, symbol) to node, by open addressing. */
class EdgeTable {
  private readonly from: Int32Array;
  private readonly symbols: Int32Array;
  private readonly to: Int32Array;
  private readonly mask: number;

  constructor(edges: readonly { from: number; symbol: number; to: number }[]) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, edges.length * 2)));
    this.mask = size - 1;
    this.from = new Int32Array(size).fill(NONE);
    this.symbols = new Int32Array(size);
    this.to = new Int32Array(size);
    for (const { from, symbol, to } of edges) {
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
