import { emptyBitmap, setBit } from './bitmap.js';
import { valueKey, wordKey } from './term-keys.js';
import { encodePostings, packPosting } from './term-postings.js';
import { ValueBlock } from './value-block.js';
import { ValueNumbers } from './value-numbers.js';

const MANY = 5_000;

const term = (key: string, rows: readonly number[]): Buffer =>
  encodePostings(
    key,
    Uint32Array.from(rows, (row) => packPosting(row, 1)),
  );

const block = new ValueBlock(
  Buffer.concat([
    term(valueKey('author', 'kay', 'Kay'), [1, 7]),
    term(valueKey('author', 'lee', 'lee'), [2]),
    term(
      valueKey('flair', '', ''),
      Array.from({ length: MANY }, (_, row) => row),
    ),
    term(valueKey('flair', 'news', 'News'), [3, 300]),
    term(valueKey('genre', 'noir', 'noir'), [19, 65_535]),
    term(wordKey('news'), [3]),
  ]),
);

describe('the values of fields in a block', () => {
  const counted = (numbers: ValueNumbers, prefix: string, among: number[]): [string, string, number][] => {
    const rows = emptyBitmap();
    for (const row of among) setBit(rows, row);
    const values: [string, string, number][] = [];
    block.count(prefix, numbers, among.length === 0 ? null : rows, (number, detail, count) =>
      values.push([numbers.at(number), detail, count]),
    );
    return values;
  };

  it.each<[string, number[], [string, string, number][]]>([
    [
      'author=',
      [],
      [
        ['kay', 'Kay', 2],
        ['lee', 'lee', 1],
      ],
    ],
    [
      'flair=',
      [],
      [
        ['', '', MANY],
        ['news', 'News', 2],
      ],
    ],
    [
      'flair=',
      [2, 300, MANY],
      [
        ['', '', 2],
        ['news', 'News', 1],
      ],
    ],
    ['author=', [0, 3], []],
    ['genre=', [3, 65_519], []],
    ['genre=', [18, 19, 65_535], [['noir', 'noir', 2]]],
    ['forum=', [], []],
    ['z=', [], []],
  ])('are counted for %s among the rows %j', (prefix, among, values) => {
    const numbers = new ValueNumbers();
    expect(counted(numbers, prefix, among)).toEqual(values);
    expect(counted(numbers, prefix, among)).toEqual(values);
  });

  it('get new numbers after the earlier ones have been dropped', () => {
    const authors = counted(new ValueNumbers(), 'author=', []);
    const others = new ValueNumbers();
    others.of('zoe');
    expect(counted(others, 'author=', [])).toEqual(authors);
  });
});
