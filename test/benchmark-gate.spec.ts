import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../scripts/bench/gate.js';
import { FIGURES, type Figure } from '../scripts/bench/support/figures.js';
import { commandsOf, readTable, valueAt, valueIn } from '../scripts/bench/support/figures-table.js';

const REPOSITORY = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8');

const isWorse = (better: 'higher' | 'lower', table: number | null, now: number | null): boolean =>
  compare({ command: 'x', title: 'x', path: 'x', aim: '', better }, table, now).isWorse;

describe('the gate of the benchmarks', () => {
  it.each([
    ['higher', 0.5, 0.42, false],
    ['higher', 0.5, 0.41, true],
    ['higher', 0.5, 5, false],
    ['lower', 1, 1.2, false],
    ['lower', 1, 1.21, true],
    ['lower', 1, 0.1, false],
    ['higher', null, 0.1, false],
    ['lower', 1, null, true],
    ['lower', null, null, true],
  ] as const)('with %s as better and %s in the table finds %s worse: %s', (better, table, now, worse) => {
    expect(isWorse(better, table, now)).toBe(worse);
  });

  it('compares every figure whose title is a ratio to something in the same run', () => {
    const ratios = FIGURES.filter(({ title }) => title.includes(' / '));
    expect(ratios.filter(({ better }) => better === undefined)).toEqual([]);
  });

  it('is better where its aim lies', () => {
    const figure = (title: string): Figure => FIGURES.find((found) => found.title === title)!;
    expect(figure('posts/s stored / `COPY` into the same table').better).toBe('higher');
    expect(figure('requests / fewest requests').better).toBe('lower');
  });

  it('runs at night, not with each change', () => {
    expect(read('scripts/test-long.mjs')).toContain("['bench', 'gate']");
    expect(read('.ci/run')).not.toContain('gate');
  });
});

describe('the table of the benchmarks', () => {
  it('has only figures that a benchmark still has', () => {
    const titles = new Set(FIGURES.map(({ title }) => title));
    expect([...readTable().keys()].filter((title) => !titles.has(title))).toEqual([]);
  });

  it('has a number for each of its figures', () => {
    expect([...readTable()].filter(([, row]) => valueIn(row) === null)).toEqual([]);
  });

  it('reads thousands, and nothing from a benchmark that failed', () => {
    const row = (value: string): string => `| \`x\` | title | ${value} |  | 1234567 |`;
    expect([row('7,337'), row('0.37'), row('failed'), undefined].map(valueIn)).toEqual([
      7337,
      0.37,
      null,
      null,
    ]);
  });

  it('takes the median of several values', () => {
    expect(valueAt({ a: { b: [3, 1, 2] } }, 'a.b')).toBe(2);
    expect([valueAt({ a: 1 }, 'a'), valueAt({ a: 'x' }, 'a'), valueAt(null, 'a')]).toEqual([1, null, null]);
  });

  it('runs a benchmark of several figures once', () => {
    expect(commandsOf(FIGURES, ['ingest', 'takeout'])).toEqual(['ingest', 'takeout 200000']);
    expect(commandsOf(FIGURES, [])).toHaveLength(new Set(FIGURES.map(({ command }) => command)).size);
  });
});
