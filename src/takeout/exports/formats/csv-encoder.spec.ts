import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { sharedPath, withShared } from '../../../../test/support/shared-folder.js';
import type { ExportedValue } from '../exported-table.js';
import { CsvEncoder } from './csv-encoder.js';
import { encodedInSlices } from './file-encoder.js';

const REPORTED = 'reports/api/disclosed/csv.ndjson';
const RECORDS: Record<string, ExportedValue>[] = [
  {
    id: 't3_1',
    title: 'Says "hi",\r\nthen\nleaves',
    score: -5,
    ratio: 0.5,
    flag: true,
    list: ['a', 'b "c"'],
  },
  { id: 't3_2', title: '=1+1', score: 0, ratio: 1e-7, flag: false, list: [] },
  { id: '', title: 'ünïcode 🔋, "', score: 2_147_483_647, ratio: 1, flag: false, list: ['-x'] },
];
const FIELDS = Object.keys(RECORDS[0]!);
const ROWS = RECORDS.map((record) => Object.values(record));

const text = (...parts: Uint8Array[]): string => Buffer.concat(parts).toString();

describe('CsvEncoder', () => {
  it('quotes texts, joins lists and escapes formulas', () => {
    const encoder = new CsvEncoder(FIELDS);
    expect(text(encoder.write(ROWS), encoder.end()).split('\r\n"')).toEqual([
      '"id","title","score","ratio","flag","list"',
      't3_1","Says ""hi"",\r\nthen\nleaves",-5,0.5,true,"a|b ""c"""',
      `t3_2","'=1+1",0,1e-7,false,""`,
      `","ünïcode 🔋, """,2147483647,1,false,"'-x"\r\n`,
    ]);
  });

  it('lets other work proceed between rows of quotes, whose bytes stay the same', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => [`${at}${'"'.repeat(40_000)}`]);
    let turns = 0;
    let isEncoded = false;
    const counted = (async () => {
      for (; !isEncoded; turns += 1) await setImmediate();
    })();
    const bytes = await encodedInSlices(new CsvEncoder(['a']), rows);
    isEncoded = true;
    await counted;
    expect(turns).toBeGreaterThan(1);
    expect(text(bytes)).toBe(text(new CsvEncoder(['a']).write(rows)));
  });

  it('writes the header once, even without rows', () => {
    const encoder = new CsvEncoder(['id', 'title']);
    expect(text(encoder.end())).toBe('"id","title"\r\n');
    const batched = new CsvEncoder(FIELDS);
    const whole = new CsvEncoder(FIELDS);
    expect(text(...ROWS.map((row) => batched.write([row])), batched.end())).toBe(
      text(whole.write(ROWS), whole.end()),
    );
  });

  it('begins with a byte order mark on request', () => {
    const encoder = new CsvEncoder(['a'], true);
    expect(text(encoder.write([[1]]), encoder.end())).toBe('\ufeff"a"\r\n1\r\n');
  });

  it('writes times as ISO 8601 and null as an empty cell', () => {
    const encoder = new CsvEncoder(['at', 'url']);
    const row = [new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 789)), null];
    expect(text(encoder.write([row]))).toBe('"at","url"\r\n"2026-02-03T04:05:06.789Z",""\r\n');
  });

  const cellOf = (value: string): string =>
    text(new CsvEncoder(['a']).write([[value]])).slice('"a"\r\n'.length);

  it.each([
    ...'=+-@\t\r\n＝＋－＠',
    ...[...' \u00a0\u3000\v\u0000\u0085\u00ad\u200b\u2060\u202e\u3164\ufe0f\ufeff'].map(
      (blank) => `${blank} =`,
    ),
  ])('escapes a text that begins with %j', (start) => {
    expect(cellOf(`${start}1`)).toBe(`"'${start}1"\r\n`);
  });

  it.each(['a=1', ' a', '\u200b', '1 =1', '.=1', '(-1)'])('leaves the text %j as it is', (value) => {
    expect(cellOf(value)).toBe(`"${value}"\r\n`);
  });

  withShared(REPORTED).it('escapes the formulas that were reported', () => {
    for (const line of readFileSync(sharedPath(REPORTED), 'utf8').trim().split('\n')) {
      const { text: formula } = JSON.parse(line) as { text: string };
      expect(cellOf(formula)).toBe(`"'${formula}"\r\n`);
    }
  });
});
