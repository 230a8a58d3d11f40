import { TimeBuckets } from './time-buckets.js';

/** In microseconds. */
const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

describe('the buckets of times', () => {
  const bucketsOf = (starts: number[], times: number[]): number[] => {
    const buckets = new TimeBuckets(starts);
    return times.map((time) => buckets.of(time));
  };

  /** For each bucket how many of the rows are in it, and the sum of their values, which are powers of two. */
  const sumsOf = (starts: number[], times: number[]): [number, number][] => {
    const values = times.map((_, row) => 2 ** row);
    const sums = { counts: new Float64Array(starts.length), sums: new Float64Array(starts.length) };
    const columns = { times: Float64Array.from(times), values: Float64Array.from(values) };
    // Visited from the last row to the first, so that rows and places among them differ.
    const rows = Uint16Array.from(times.keys()).reverse();
    new TimeBuckets(starts).addRows(columns, rows, rows.length, sums);
    return starts.map((_, bucket) => [sums.counts[bucket]!, sums.sums[bucket]!]);
  };

  it.each<[string, number[], number[], number[]]>([
    [
      'that begin with a quarter of an hour',
      [0, HOUR, 3 * HOUR],
      [0, HOUR - 1, HOUR, 3 * HOUR - 1, 3 * HOUR, YEAR],
      [0, 0, 1, 1, 2, 2],
    ],
    [
      'that begin within a quarter of an hour',
      [7 * MINUTE, HOUR + 7 * MINUTE, HOUR + 8 * MINUTE],
      [7 * MINUTE, HOUR + 7 * MINUTE - 1, HOUR + 7 * MINUTE, HOUR + 8 * MINUTE, 2 * HOUR],
      [0, 0, 1, 2, 2],
    ],
    ['before 1970', [-2 * HOUR, -HOUR], [-2 * HOUR, -HOUR - 1, -HOUR, HOUR], [0, 0, 1, 1]],
    [
      'over more years than a table has slots for',
      [0, 29 * YEAR, 30 * YEAR, 31 * YEAR],
      [0, 28.9 * YEAR, 29 * YEAR, 30 * YEAR - 1, 30.5 * YEAR, 40 * YEAR],
      [0, 0, 1, 1, 2, 3],
    ],
    ['of which there is one', [HOUR], [HOUR, 2 * HOUR], [0, 0]],
  ])('%s are found', (_, starts, times, expected) => {
    expect(bucketsOf(starts, times)).toEqual(expected);
    const sums = starts.map((_, bucket): [number, number] => {
      const rows = [...expected.keys()].filter((row) => expected[row] === bucket);
      return [rows.length, rows.reduce((sum, row) => sum + 2 ** row, 0)];
    });
    expect(sumsOf(starts, times)).toEqual(sums);
  });
});
