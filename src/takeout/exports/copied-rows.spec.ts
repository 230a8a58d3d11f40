import { CopiedRows } from './copied-rows.js';
import type { ExportedField, ExportedRow } from './exported-table.js';

const field = (name: string, type: string, isArray = false): ExportedField => ({
  name,
  type,
  isArray,
  isNullable: true,
});
const FIELDS = [
  field('workspace_id', 'uuid'),
  field('id', 'bigint'),
  field('title', 'text'),
  field('score', 'integer'),
  field('ratio', 'double precision'),
  field('nsfw', 'boolean'),
  field('at', 'timestamptz'),
  field('tags', 'text', true),
];
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
const sized = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes]);
const texts = (values: string[]): Buffer =>
  values.length === 0
    ? Buffer.concat([int32(0), int32(0), int32(25)])
    : Buffer.concat([
        ...[1, 0, 25, values.length, 1].map(int32),
        ...values.map((value) => sized(Buffer.from(value))),
      ]);
const rowOf = (...values: (Buffer | null)[]): Buffer =>
  Buffer.concat([
    Buffer.from([0, values.length]),
    ...values.map((value) => (value === null ? int32(-1) : sized(value))),
  ]);

/** Microseconds since 2000. */
const time = (iso: string, microseconds = 0): Buffer =>
  int64(BigInt(Date.parse(iso) - Date.parse('2000-01-01T00:00:00Z')) * 1_000n + BigInt(microseconds));

const ROWS = [
  rowOf(
    Buffer.from('ws_1'),
    int64(BigInt(Number.MAX_SAFE_INTEGER)),
    Buffer.from('ünïcode 🔋\0'),
    int32(-5),
    double(-0.1),
    Buffer.from([1]),
    time('2026-02-03T04:05:06.789Z', 999),
    texts(['a', '', 'b "c" 🔋']),
  ),
  rowOf(null, null, null, null, null, null, null, null),
  rowOf(
    Buffer.from(''),
    int64(-(2n ** 40n) - 3n),
    Buffer.from(''),
    int32(2 ** 31 - 1),
    double(1e300),
    Buffer.from([0]),
    time('1969-12-31T23:59:59.998Z', 1),
    texts([]),
  ),
];
const EXPECTED: ExportedRow[] = [
  [
    'ws_1',
    Number.MAX_SAFE_INTEGER,
    'ünïcode 🔋\0',
    -5,
    -0.1,
    true,
    new Date('2026-02-03T04:05:06.789Z'),
    ['a', '', 'b "c" 🔋'],
  ],
  [null, null, null, null, null, null, null, null],
  ['', -(2 ** 40) - 3, '', 2 ** 31 - 1, 1e300, false, new Date('1969-12-31T23:59:59.998Z'), []],
];
const STREAM = Buffer.concat([HEADER, ...ROWS, TRAILER]);

function readAll(pieces: Buffer[]): ExportedRow[] {
  const copied = new CopiedRows(FIELDS);
  const rows = pieces.flatMap((piece) => [...copied.read(piece)]);
  copied.requireEnd();
  return rows;
}

describe('CopiedRows', () => {
  it('reads values of every type', () => {
    expect(readAll([STREAM])).toEqual(EXPECTED);
  });

  it('reads the same rows wherever the bytes are split', () => {
    for (let at = 0; at <= STREAM.length; at += 1)
      expect(readAll([STREAM.subarray(0, at), STREAM.subarray(at)])).toEqual(EXPECTED);
    expect(readAll([...STREAM].map((byte) => Buffer.from([byte])))).toEqual(EXPECTED);
  });

  it('yields each row as soon as its last byte has arrived', () => {
    const copied = new CopiedRows(FIELDS);
    const begun = STREAM.subarray(0, HEADER.length + ROWS[0]!.length - 1);
    expect([...copied.read(begun)]).toEqual([]);
    expect([...copied.read(STREAM.subarray(begun.length, begun.length + 1))]).toEqual([EXPECTED[0]]);
  });

  it('rejects bytes that are not a stream of COPY', () => {
    const read = (...pieces: Buffer[]) => {
      const copied = new CopiedRows(FIELDS);
      pieces.forEach((piece) => void [...copied.read(piece)]);
      copied.requireEnd();
    };
    expect(() => read(Buffer.from('t3_1\ttechnology\tTitle\n'))).toThrow('not binary');
    expect(() => read(HEADER, rowOf(null, null))).toThrow('A copied row has 2 fields');
    expect(() => read(STREAM.subarray(0, -2))).toThrow('ended before their end');
    expect(() => read(HEADER.subarray(0, 5))).toThrow('ended before their end');
  });
});
