import { parseLabels } from './label-csv.js';

describe('a table of labels', () => {
  it('has one label for each id, also in quotation marks and with Windows line ends', () => {
    expect(parseLabels('\ufeffid,label\r\nt3_a,good\r\n\r\n"t1_b","so, ""so"""\r\n')).toEqual([
      { recordId: 't3_a', label: 'good' },
      { recordId: 't1_b', label: 'so, "so"' },
    ]);
  });

  it.each([
    ['', 1],
    ['label,id\n', 1],
    ['id,label\nt3_a', 2],
    ['id,label\nt3_a,b,c', 2],
    ['id,label\nt3_a,b,', 2],
    ['id,label\nt3_a,good\nt3_a,bad', 3],
    ['id,label\nabc,good', 2],
    ['id,label\nt3_a,', 2],
    ['id,label\nt3_a,"good', 2],
    [`id,label\nt3_a,${'a'.repeat(65)}`, 2],
  ])('%j is refused with the number of the line', (csv, line) => {
    expect(parseLabels(csv)).toEqual({ problem: expect.stringContaining(`line ${line} `) as string });
  });
});
