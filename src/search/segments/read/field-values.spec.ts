import { EventLoopTurn } from '../../../common/event-loop-turn.js';
import { emptyBitmap, setBit } from '../format/bitmap.js';
import { FieldValues } from './field-values.js';
import { valueKey, wordKey } from '../format/term-keys.js';
import { encodePostings, packPosting } from '../format/term-postings.js';
import { ValueNumbers } from '../format/term-keys.js';

const ROWS = 6_000;
/** As many rows as give a value a bitmap. */
const MANY = 5_000;

const term = (key: string, rows: readonly number[]): Buffer =>
  encodePostings(
    key,
    Uint32Array.from(rows, (row) => packPosting(row, 1)),
  );

const BLOCKS = [
  Buffer.concat([
    term(valueKey('author', 'kay', 'Kay'), [1, 7]),
    term(valueKey('flair', '', ''), Array.from(Array(MANY).keys())),
    term(valueKey('flair', 'help', 'Help'), [5_999]),
  ]),
  Buffer.concat([
    term(valueKey('flair', 'help', 'help'), [5_001, 5_002]),
    term(valueKey('flair', 'news', '1'), [0, 3, 300]),
    term(valueKey('flair', 'news', '2'), [3]),
    term(valueKey('genre', 'noir', 'noir'), [3, 19]),
    term(wordKey('news'), [3]),
  ]),
];

describe('the values of a field in a segment', () => {
  const numbers = new ValueNumbers();
  // Has a number, but none of the rows.
  numbers.ofText('other', '');
  let flairs: FieldValues;

  beforeAll(async () => {
    flairs = await FieldValues.parse(BLOCKS, 'flair', ROWS, numbers, new EventLoopTurn());
  });

  const counted = (among: readonly number[] | null): Record<string, number> => {
    const rows = emptyBitmap();
    for (const row of among ?? []) setBit(rows, row);
    const counts = new Int32Array(numbers.size);
    flairs.count(among === null ? null : rows, counts);
    const found: Record<string, number> = {};
    counts.forEach((count, key) => {
      if (count !== 0)
        found[`${numbers.valueAt(numbers.valueOf(key))} ${numbers.detailBytes(key).toString()}`] = count;
    });
    return found;
  };
  const upTo = (end: number): number[] => Array.from(Array(end).keys());

  it.each<[string, readonly number[] | null, Record<string, number>]>([
    ['all rows', null, { ' ': MANY, 'help Help': 1, 'help help': 2, 'news 1': 3, 'news 2': 1 }],
    ['few rows', [3, 4_999, 5_000, 5_002], { ' ': 2, 'help help': 1, 'news 1': 1, 'news 2': 1 }],
    ['rows without a sparse value', [1, 2], { ' ': 2 }],
    ['more than half of the rows', upTo(5_002), { ' ': MANY, 'help help': 1, 'news 1': 3, 'news 2': 1 }],
    [
      'all but some rows',
      upTo(ROWS).slice(4),
      { ' ': MANY - 4, 'help Help': 1, 'help help': 2, 'news 1': 1 },
    ],
    ['no rows', [], {}],
  ])('are counted for %s', (_, among, expected) => {
    expect(counted(among)).toEqual(expected);
  });

  it('are none when no block has the field', async () => {
    const forums = await FieldValues.parse([], 'forum', ROWS, numbers, new EventLoopTurn());
    const counts = new Int32Array(numbers.size);
    forums.count(null, counts);
    expect(counts.every((count) => count === 0)).toBe(true);
  });
});
