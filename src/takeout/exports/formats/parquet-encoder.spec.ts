import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { ExportedField, ExportedValue } from '../exported-table.js';
import { ParquetEncoder } from './parquet-encoder.js';

const field = (name: string, type: string, more: Partial<ExportedField> = {}): ExportedField => ({
  name,
  type,
  isArray: false,
  isNullable: false,
  ...more,
});
const FIELDS = [
  field('id', 'text'),
  field('forum', 'text'),
  field('url', 'text', { isNullable: true }),
  field('score', 'integer'),
  field('number', 'bigint'),
  field('ratio', 'double precision'),
  field('nsfw', 'boolean'),
  field('at', 'timestamptz'),
  field('tags', 'text', { isArray: true }),
];
/** In the order of the fields. */
const ROW = {
  id: '',
  forum: 'technology',
  url: null as string | null,
  score: 1,
  number: 1,
  ratio: 0,
  nsfw: false,
  at: new Date(0),
  tags: [] as string[],
};
const LIMITS = { rows: 40, characters: 5_000 };
/** Small limits, so that the generated records take several row groups. */
const FEW = { rows: 4, characters: 200 };

const records = fc.array(
  fc.record({
    id: fc.string({ unit: 'grapheme', maxLength: 40 }),
    forum: fc.constantFrom('technology', 'science', ''),
    url: fc.option(fc.webUrl(), { nil: null }),
    score: fc.integer(),
    number: fc.maxSafeInteger(),
    ratio: fc.double({ noNaN: true }),
    nsfw: fc.boolean(),
    at: fc.date({ min: new Date(-1e12), max: new Date(4e12), noInvalidDate: true }),
    tags: fc.array(fc.constantFrom('a', 'bb', 'ccc', 'with, comma'), { maxLength: 4 }),
  }),
  { maxLength: 200 },
);

function encode(rows: readonly Record<string, ExportedValue>[], batch: number, limits = LIMITS): Buffer {
  const encoder = new ParquetEncoder(FIELDS, null, limits);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < rows.length; at += batch)
    parts.push(encoder.write(valuesOf(rows.slice(at, at + batch))));
  return Buffer.concat([...parts, encoder.end()]);
}

const valuesOf = (rows: readonly Record<string, ExportedValue>[]): ExportedValue[][] =>
  rows.map((row) => Object.values(row));

const bufferOf = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;

describe('Parquet files', () => {
  it('contain every record, and the same bytes however they are batched', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 90 }), async (rows, batch) => {
        const bytes = encode(rows, batch, FEW);
        expect(bytes.equals(encode(rows, 1_000, FEW))).toBe(true);
        const read = await parquetReadObjects({ file: bufferOf(bytes), compressors });
        expect(read).toEqual(rows.map((row) => ({ ...row, number: BigInt(row.number) })));
      }),
      { seed: 15, numRuns: 150 },
    );
  });

  it('contain texts of any length in bytes, even when many of them repeat at first', async () => {
    const rows = Array.from({ length: 1_200 }, (_, n) => ({
      ...ROW,
      id: n < 600 ? 'same' : '€'.repeat(n - 600),
      forum: n % 3 === 0 ? '' : '\u{1F600}'.repeat(n % 7),
    }));
    const encoder = new ParquetEncoder(FIELDS, null, { rows: 10_000, characters: 10_000_000 });
    const bytes = Buffer.concat([encoder.write(valuesOf(rows)), encoder.end()]);
    const read = await parquetReadObjects({ file: bufferOf(bytes), compressors });
    expect(read).toEqual(rows.map((row) => ({ ...row, number: BigInt(row.number) })));
  });

  it('reject a null in a column that is not nullable', () => {
    const record = Object.fromEntries(FIELDS.map(({ name }) => [name, null]));
    expect(() => encode([record], 1)).toThrow('id is null in a column without nulls');
  });

  it('end a row group at its limit of characters, which counts only single texts', () => {
    const row = {
      ...ROW,
      id: 'x'.repeat(60),
      forum: 'y'.repeat(40),
      tags: Array.from({ length: 300 }, () => 'tag'),
    };
    const { row_groups: groups } = parquetMetadata(
      bufferOf(encode(Array(5).fill(row), 5, { rows: 40, characters: 200 })),
    );
    expect(groups.map(({ num_rows: count }) => count)).toEqual([2n, 2n, 1n]);
  });

  it('contain the minimum and maximum of each row group, except for texts', () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({
      ...ROW,
      id: `t3_${n}`,
      url: n % 2 === 0 ? null : 'https://example.com/',
      score: n - 5,
      number: 2 ** 52 + n,
      ratio: n / 100,
      nsfw: n > 50,
      at: new Date(1_700_000_000_000 + n),
    }));
    const { row_groups: groups } = parquetMetadata(bufferOf(encode(rows, 7)));
    expect(groups.map(({ num_rows: count }) => count)).toEqual([40n, 20n]);
    const statistics = groups[0]!.columns.map(({ meta_data: meta }) => [
      meta!.path_in_schema[0],
      meta!.statistics?.min_value,
      meta!.statistics?.max_value,
    ]);
    expect(statistics).toEqual([
      ['id', undefined, undefined],
      ['forum', undefined, undefined],
      ['url', undefined, undefined],
      ['score', -5, 34],
      ['number', BigInt(2 ** 52), BigInt(2 ** 52 + 39)],
      ['ratio', -0, 0.39],
      ['nsfw', false, false],
      ['at', new Date(1_700_000_000_000), new Date(1_700_000_000_039)],
      ['tags', undefined, undefined],
    ]);
    const scores = groups[1]!.columns[3]!.meta_data!.statistics!;
    expect([scores.min_value, scores.max_value]).toEqual([35, 54]);
  });

  it('contain dictionaries for repeating texts, and none without values', () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ ...ROW, id: `t3_${n}`, score: n, number: n }));
    const { row_groups: groups } = parquetMetadata(bufferOf(encode(rows, 40)));
    const withDictionary = groups[0]!.columns
      .map(({ meta_data: meta }) => meta!)
      .filter(({ encodings }) => encodings.includes('RLE_DICTIONARY'));
    const names = withDictionary.map((meta) => meta.path_in_schema[0]);
    expect(['id', 'forum', 'url', 'tags'].filter((name) => names.includes(name))).toEqual(['forum']);
  });
});
