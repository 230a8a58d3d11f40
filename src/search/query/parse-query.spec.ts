import fc from 'fast-check';
import { normalForm } from './normal-form.js';
import { MAX_QUERY_LENGTH, parseQuery } from './parse-query.js';
import type { QueryNode, TextField, ValueField } from './query-tree.js';

const text = (
  words: string,
  more: { isExact?: boolean; isPrefix?: boolean; field?: TextField } = {},
): QueryNode => ({
  kind: 'words',
  text: words,
  isExact: false,
  isPrefix: false,
  field: null,
  ...more,
});
const exact = (words: string, field: TextField | null = null): QueryNode => ({
  kind: 'words',
  text: words,
  isExact: true,
  isPrefix: false,
  field,
});
const value = (field: ValueField, name: string): QueryNode => ({
  kind: 'value',
  field,
  value: name,
  isPrefix: false,
});
const near = (words: string, distance: number): QueryNode => ({
  kind: 'near',
  text: words,
  distance,
  field: null,
});
const field = (name: ValueField, value: string, isPrefix = false): QueryNode => ({
  kind: 'value',
  field: name,
  value,
  isPrefix,
});
const not = (operand: QueryNode): QueryNode => ({ kind: 'not', operand });
const and = (...operands: QueryNode[]): QueryNode => ({ kind: 'and', operands });
const or = (...operands: QueryNode[]): QueryNode => ({ kind: 'or', operands });

/** So many words of one letter. */
const letters = (count: number, between = ' '): string =>
  Array.from({ length: count }, (_, n) => String.fromCharCode(97 + (n % 26))).join(between);

describe('parseQuery', () => {
  it.each<[string, QueryNode | null]>([
    ['', null],
    ['   ', null],
    ['()', null],
    ['battery', text('battery')],
    ['solid state', and(text('solid'), text('state'))],
    ['a AND b', and(text('a'), text('b'))],
    ['a and b', and(text('a'), text('and'), text('b'))],
    ['"solid state" charge', and(exact('solid state'), text('charge'))],
    ['“solid state” «a b» „c d“', and(exact('solid state'), exact('a b'), exact('c d'))],
    ['a OR b', or(text('a'), text('b'))],
    ['a or b c', or(text('a'), and(text('b'), text('c')))],
    ['"or"', exact('or')],
    ['-windows linux', and(not(text('windows')), text('linux'))],
    ['!windows', not(text('windows'))],
    ['a NOT b', and(text('a'), not(text('b')))],
    ['a not b', and(text('a'), text('not'), text('b'))],
    ['a AND NOT b', and(text('a'), not(text('b')))],
    ['-"open source"', not(exact('open source'))],
    ['state-of-the-art', text('state-of-the-art')],
    ['(a OR b) c', and(or(text('a'), text('b')), text('c'))],
    ['-(a OR b)', not(or(text('a'), text('b')))],
    ['=organ', exact('organ')],
    ['"apple phone"~10', near('apple phone', 10)],
    ['bat*', text('bat', { isPrefix: true })],
    ['title:bat*', text('bat', { isPrefix: true, field: 'title' })],
    ['title:"solid state"', exact('solid state', 'title')],
    [
      'title:(a (b OR -(c text:d)))',
      and(
        text('a', { field: 'title' }),
        or(
          text('b', { field: 'title' }),
          not(and(text('c', { field: 'title' }), text('d', { field: 'text' }))),
        ),
      ),
    ],
    ['author:Ann forum:chess', and(field('author', 'Ann'), field('forum', 'chess'))],
    ['author:ann*', field('author', 'ann', true)],
    ['subreddit:r/chess', field('forum', 'chess')],
    ['author:u/Ann', field('author', 'Ann')],
    ['author:@ann@example.social', field('author', 'ann@example.social')],
    ['r/chess', or(field('forum', 'chess'), text('r/chess'))],
    ['flair:"Help wanted"', field('flair', 'Help wanted')],
    ['-AUTHOR:bot', not(field('author', 'bot'))],
    ['type:(image OR (video))', or(field('type', 'image'), field('type', 'video'))],
    ['score:>10', { kind: 'bound', field: 'score', operator: '>', value: 10 }],
    ['comments:5', { kind: 'bound', field: 'comments', operator: '=', value: 5 }],
    ['ratio:<0.6', { kind: 'bound', field: 'ratio', operator: '<', value: 0.6 }],
    [
      'after:2026-01-31',
      { kind: 'bound', field: 'created', operator: '>=', value: '2026-01-31T00:00:00.000Z' },
    ],
    [
      'before:2026-03-01T08:00:00+01:00',
      { kind: 'bound', field: 'created', operator: '<', value: '2026-03-01T07:00:00.000Z' },
    ],
    ['-is:nsfw', not({ kind: 'flag', flag: 'is:nsfw' })],
    [`"${letters(16)}"~3`, near(letters(16), 3)],
    [`"${letters(100)}"`, exact(letters(100))],
    ['東'.repeat(101), text('東'.repeat(101))],
  ])('reads %j', (query, tree) => {
    expect(parseQuery(query)).toEqual({ tree, notices: [] });
  });

  it.each<[string, QueryNode | null, number, number]>([
    ['"not closed', exact('not closed'), 0, 11],
    ['(a OR b', or(text('a'), text('b')), 0, 1],
    ['a) b', and(text('a'), text('b')), 1, 1],
    ['a OR', text('a'), 2, 2],
    ['OR a', text('a'), 0, 2],
    ['a NOT', text('a'), 2, 3],
    ['a - b', and(text('a'), text('b')), 2, 1],
    ['""', null, 0, 2],
    ['unknown:thing', text('unknown:thing'), 0, 8],
    ['score:many', text('score:many'), 0, 10],
    ['after:2026-02-30', text('after:2026-02-30'), 0, 16],
    ['after:2026-02-30T00:00:00Z', text('after:2026-02-30T00:00:00Z'), 0, 26],
    ['before:2025-02-29T12:00+01:00', text('before:2025-02-29T12:00+01:00'), 0, 29],
    ['after:0001-01-01T00:00+14:00', text('after:0001-01-01T00:00+14:00'), 0, 28],
    ['author:', text('author:'), 0, 7],
    ['(title: a)', and(text('title:'), text('a')), 1, 6],
    ['x −5', and(text('x'), text('−5')), 2, 2],
    ['--a', text('--a'), 0, 3],
    ['author:*', value('author', '*'), 0, 8],
    ['flair:"Help*"', value('flair', 'Help*'), 0, 13],
    ['forum:a,b', value('forum', 'a,b'), 0, 9],
    ['*net', text('*net'), 0, 4],
    ['"sol* state"', exact('sol* state'), 0, 12],
    ['"a* b"~3', near('a* b', 3), 0, 8],
    ['colou?r', text('colou?r'), 0, 7],
    ['a~1', text('a~1'), 0, 3],
    ['"a b"^2', and(exact('a b'), text('^2')), 5, 2],
    ['a|b', text('a|b'), 0, 3],
    ['a&&b', text('a&&b'), 0, 4],
    ['/re.d/', text('/re.d/'), 0, 6],
    ['~ab', text('~ab'), 0, 3],
    ['a NEAR/3 b', and(text('a'), text('NEAR/3'), text('b')), 2, 6],
    ['a w/10 b', and(text('a'), text('w/10'), text('b')), 2, 4],
    ['a NEAR b', and(text('a'), text('NEAR'), text('b')), 2, 4],
    ['min_score:10', text('min_score:10'), 0, 10],
    ['score>10', text('score>10'), 0, 8],
    ['or', text('or'), 0, 2],
    ['author :ann', and(text('author'), text(':ann')), 7, 4],
    ['after:2026-01-01T10:00', text('after:2026-01-01T10:00'), 0, 22],
    ['is:old', text('is:old'), 0, 6],
    ['type:poem', text('type:poem'), 0, 9],
    ['"a b"~500', near('a b', 100), 0, 9],
    ['"a b"~0', near('a b', 1), 0, 7],
    [`x "${letters(17)}"~3`, and(text('x'), near(letters(16), 3)), 2, 37],
    [`"${letters(101)}"`, exact(letters(100)), 0, 203],
    [letters(101, '-'), text(letters(100, '-')), 0, 201],
    [`title:${letters(101, '-')}*`, text(letters(100, '-'), { field: 'title' }), 0, 208],
    ['東'.repeat(102), text('東'.repeat(101)), 0, 102],
  ])('says what it took otherwise in %j', (query, tree, position, length) => {
    const parsed = parseQuery(query);
    expect(parsed.tree).toEqual(tree);
    expect(parsed.notices).toHaveLength(1);
    expect(parsed.notices[0]).toMatchObject({ position, length });
  });

  it.each<[string, QueryNode | null]>([
    ['http://example.com/?a=b', text('http://example.com/?a=b')],
    ['what?', text('what?')],
    ['n95', text('n95')],
    ['near', text('near')],
    ['24/7', text('24/7')],
    [':smile:', text(':smile:')],
    ['/r/chess', or(value('forum', 'chess'), text('/r/chess'))],
    ["it's 100%", and(text("it's"), text('100%'))],
  ])('reads %j as text without a notice', (query, tree) => {
    expect(parseQuery(query)).toEqual({ tree, notices: [] });
  });

  it.each([
    ['（a　ＯＲ　b）　c', '(a OR b) c'],
    ['ｔｉｔｌｅ：a ！b －c ＝d', 'title:a !b -c =d'],
    ['｢a b｣ bat＊', '"a b" bat*'],
    ['＂a b＂～３', '"a b"~3'],
    ['score:＞١٠ comments:۵ ratio:<٠٫٥', 'score:>10 comments:5 ratio:<0.5'],
    ['after:２０２６－０１－３１ before:२०२६-०३-०१', 'after:2026-01-31 before:2026-03-01'],
    ['is：ｎｓｆｗ type:ｉｍａｇｅ', 'is:nsfw type:image'],
  ])('reads %j as %j', (wide, narrow) => {
    expect(parseQuery(wide)).toEqual(parseQuery(narrow));
  });

  it('gives the same tree for the normal form of any query', () => {
    const pieces = [
      '(',
      ')',
      '-',
      '"',
      ' OR ',
      ' ',
      'a',
      'wi-fi',
      'title:',
      'author:',
      '*',
      '=',
      'r/x',
      '~3',
      'score:>1',
      '（',
      '：',
      '＝',
      '＊',
      '」',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const { tree } = parseQuery(parts.join(''));
        expect(parseQuery(normalForm(tree)).tree).toEqual(tree);
      }),
      { seed: 44, numRuns: 2_000 },
    );
  });

  it('gives the same tree for the normal form of words that were left out', () => {
    const piece = fc.constantFrom(
      'a',
      'wi-fi',
      'C++',
      'AT&T',
      "don't",
      '東京',
      '東',
      '$50',
      'a*b',
      'node.js',
      '#tag',
      '…',
      '*',
    );
    const gap = fc.constantFrom(' ', ' ', '-', '.', '');
    const words = fc.array(fc.tuple(piece, gap), { minLength: 10, maxLength: 150 });
    fc.assert(
      fc.property(words, fc.constantFrom('', '"', '"~3'), (parts, end) => {
        const written = parts.flat().join('');
        const { tree } = parseQuery(end === '' ? written.replaceAll(' ', '-') : `"${written}${end}`);
        const again = parseQuery(normalForm(tree));
        expect(again.tree).toEqual(tree);
        expect(again.notices.filter(({ message }) => message.includes('left out'))).toEqual([]);
      }),
      { seed: 44, numRuns: 2_000 },
    );
  });

  it('never throws, however deep and long a query is', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (query) => void parseQuery(query)));
    for (const piece of ['(', '-(', 'title:(', '"', 'a OR ', 'NOT '])
      parseQuery(piece.repeat(MAX_QUERY_LENGTH).slice(0, MAX_QUERY_LENGTH));
  });
});
