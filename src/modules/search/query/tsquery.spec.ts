import { type QueryWord, readTsquery, wordAsTsquery, wordsOf } from './tsquery.js';

const word = (lexeme: string, changes: Partial<QueryWord> = {}): QueryWord => ({
  kind: 'word',
  lexeme,
  isPrefix: false,
  inTitle: false,
  ...changes,
});
const [a, b, c] = [word('a'), word('b'), word('c')];

describe('readTsquery', () => {
  it('binds NOT tightest, then FOLLOWED BY, AND and OR', () => {
    expect(readTsquery("'a' | 'b' & !'c'")).toEqual({
      kind: 'or',
      operands: [a, { kind: 'and', operands: [b, { kind: 'not', operand: c }] }],
    });
    expect(readTsquery("( 'a' | 'b' ) & 'c'")).toEqual({
      kind: 'and',
      operands: [{ kind: 'or', operands: [a, b] }, c],
    });
    expect(readTsquery("!( 'a' & 'b' )")).toEqual({
      kind: 'not',
      operand: { kind: 'and', operands: [a, b] },
    });
    expect(readTsquery("'a' <-> 'b' <3> 'c' & 'a'")).toEqual({
      kind: 'and',
      operands: [{ kind: 'phrase', words: [a, b, c], distances: [1, 3] }, a],
    });
  });

  it('reads weights, quotes and backslashes of words', () => {
    expect(readTsquery("'it''s':*A & 'back\\\\slash':*")).toEqual({
      kind: 'and',
      operands: [word("it's", { isPrefix: true, inTitle: true }), word('back\\slash', { isPrefix: true })],
    });
  });

  it('reads only phrases of whole words, and returns null for no words', () => {
    expect(readTsquery("'a' <-> ( 'b' | 'c' )")).toBe('unreadable');
    expect(readTsquery("'a' <-> 'b':*")).toBe('unreadable');
    expect(readTsquery("!'a' <-> 'b'")).toBe('unreadable');
    expect(readTsquery('')).toBeNull();
  });
});

describe('wordsOf', () => {
  it('lists each word once, in order of appearance', () => {
    expect(wordsOf("'b' & ( 'a' | !'b' ) & 'b':*")).toEqual([b, a, word('b', { isPrefix: true })]);
  });
});

describe('wordAsTsquery', () => {
  it('writes a word that readTsquery reads back, without its weights', () => {
    for (const one of [a, word("it's \\ here"), word('a', { isPrefix: true })])
      expect(readTsquery(wordAsTsquery(one))).toEqual(one);
    expect(wordAsTsquery(word('a', { inTitle: true }))).toBe("'a'");
  });
});
