import fc from 'fast-check';
import { parseQuery, readablePart } from './parse-query.js';
import type { QueryNode } from './query-tree.js';

const text = (words: string, more: { isPrefix?: boolean; inTitle?: boolean } = {}): QueryNode => ({
  kind: 'text',
  text: words,
  isPrefix: false,
  inTitle: false,
  ...more,
});
const field = (name: 'author' | 'forum' | 'flair', value: string): QueryNode => ({
  kind: 'field',
  field: name,
  value,
});
const not = (operand: QueryNode): QueryNode => ({ kind: 'not', operand });
const and = (...operands: QueryNode[]): QueryNode => ({ kind: 'and', operands });
const or = (...operands: QueryNode[]): QueryNode => ({ kind: 'or', operands });

describe('parseQuery', () => {
  it.each<[string, QueryNode | null]>([
    ['', null],
    ['   ', null],
    ['()', null],
    ['""', null],
    ['battery', text('battery')],
    ['solid state', and(text('solid'), text('state'))],
    ['"solid state" charge', and(text('solid state'), text('charge'))],
    ['a OR b', or(text('a'), text('b'))],
    ['a or b c', or(text('a'), and(text('b'), text('c')))],
    ['"or"', text('or')],
    ['-windows linux', and(not(text('windows')), text('linux'))],
    ['-"open source"', not(text('open source'))],
    ['state-of-the-art', text('state-of-the-art')],
    ['(a OR b) c', and(or(text('a'), text('b')), text('c'))],
    ['-(a OR b)', not(or(text('a'), text('b')))],
    ['bat*', text('bat', { isPrefix: true })],
    ['title:bat*', text('bat', { isPrefix: true, inTitle: true })],
    ['title:"solid state"', text('solid state', { inTitle: true })],
    ['author:Ann forum:chess', and(field('author', 'Ann'), field('forum', 'chess'))],
    ['flair:"Help wanted"', field('flair', 'Help wanted')],
    ['-AUTHOR:bot', not(field('author', 'bot'))],
    ['forum:a OR forum:b', or(field('forum', 'a'), field('forum', 'b'))],
  ])('reads %j', (query, tree) => {
    expect(parseQuery(query)).toEqual(tree);
  });

  it.each<[string, QueryNode | null]>([
    ['"not closed', text('not closed')],
    ['(a OR b', or(text('a'), text('b'))],
    ['a) b', and(text('a'), text('b'))],
    ['OR a OR', text('a')],
    ['a OR OR b', or(text('a'), text('b'))],
    ['author:', text('author:')],
    ['author: ann', and(text('author:'), text('ann'))],
    ['unknown:thing', text('unknown:thing')],
    ['http://example.com', text('http://example.com')],
    ['*', text('*')],
    ['-', text('-')],
    ['--a', text('--a')],
    ['a - b', and(text('a'), text('-'), text('b'))],
    ["it's 100%", and(text("it's"), text('100%'))],
  ])('takes the parts of %j that are not an expression as text', (query, tree) => {
    expect(parseQuery(query)).toEqual(tree);
  });

  it('reads back every tree that it can produce', () => {
    const word = fc.stringMatching(/^[a-np-z]{2,6}$/);
    const { tree } = fc.letrec<{ tree: QueryNode; leaf: QueryNode }>((tie) => ({
      leaf: fc.oneof(
        word.map((one) => text(one)),
        fc.tuple(word, word).map((two) => text(two.join(' '), { inTitle: true })),
        word.map((one) => text(one, { isPrefix: true })),
        word.map((one) => field('author', one)),
      ),
      tree: fc.oneof(
        { maxDepth: 4 },
        tie('leaf'),
        tie('tree').map(not),
        fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((operands) => and(...operands)),
        fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((operands) => or(...operands)),
      ),
    }));
    fc.assert(fc.property(tree, (one) => expect(parseQuery(render(one))).toEqual(flatten(one))));
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (query) => void parseQuery(query)));
    const pieces = ['(', ')', '-', '"', 'OR', ' ', 'a', 'title:', 'author:', '*', ':'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 300 }),
        (parts) => void parseQuery(parts.join('')),
      ),
    );
  });
});

describe('readablePart', () => {
  const words = 'word '.repeat(198);

  it.each([
    [words, words],
    [`${words}last longer`, `${words}last`],
    ['x'.repeat(1_001), 'x'.repeat(1_000)],
    [`${'😀'.repeat(499)} ${'😀'.repeat(9)}`, '😀'.repeat(499)],
  ])('keeps the whole words within the first 1,000 characters', (query, part) => {
    expect(readablePart(query)).toBe(part);
  });
});

function render(node: QueryNode): string {
  switch (node.kind) {
    case 'text': {
      const words = node.text.includes(' ') ? `"${node.text}"` : node.text;
      return `${node.inTitle ? 'title:' : ''}${words}${node.isPrefix ? '*' : ''}`;
    }
    case 'field':
      return `${node.field}:"${node.value}"`;
    case 'not':
      return `-(${render(node.operand)})`;
    case 'and':
      return node.operands.map((operand) => `(${render(operand)})`).join(' ');
    case 'or':
      return node.operands.map((operand) => `(${render(operand)})`).join(' OR ');
  }
}

/** The same tree with nested groups of one kind merged, as the parser returns it. */
function flatten(node: QueryNode): QueryNode {
  if (node.kind === 'not') return { kind: 'not', operand: flatten(node.operand) };
  if (node.kind !== 'and' && node.kind !== 'or') return node;
  const operands = node.operands.map(flatten);
  return {
    kind: node.kind,
    operands: operands.flatMap((operand) => (operand.kind === node.kind ? operand.operands : [operand])),
  };
}
