import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const lib = (name: string): string =>
  pathToFileURL(join(import.meta.dirname, '../../scripts/lib', name)).href;
interface Fault {
  line: number;
  from: string;
  to: string;
}
// Plain modules outside the compiled tree, since `npm run mutants` loads them.
const { faultsOf, withFault, seededNumbers, drawn } = (await import(lib('faults.mjs'))) as {
  faultsOf: (text: string) => Fault[];
  withFault: (text: string, fault: Fault) => string;
  seededNumbers: (seed: number) => () => number;
  drawn: <T>(items: T[], count: number, random: () => number) => T[];
};
const { reachingSpecs } = (await import(lib('reaching-specs.mjs'))) as {
  reachingSpecs: (
    source: string,
    importers: Map<string, Set<string>>,
    limits: { mostNear: number; mostWide: number },
  ) => { near: string[]; wide: string[] };
};

describe('the faults of a file', () => {
  it.each([
    ['f = a < b;', ['f = a <= b;']],
    ['f = a && !b;', ['f = a || !b;', 'f = a && b;']],
    ['f = a ?? b;', ['f = a;']],
    ['f = a ? b : c;', ['f = !(a) ? b : c;']],
    ['if (a) b();', ['', 'if (!(a)) b();', 'if (a) ;']],
    ['f = a.trim();', ['f = a;']],
    ['await a();', [';']],
    [
      'f = [true, 9, 5_000];',
      ['f = [false, 9, 5_000];', 'f = [true, (9 + 1), 5_000];', 'f = [true, 9, (5000 * 2)];'],
    ],
    [
      'f = `SELECT 1 WHERE a IS NULL AND b < ${c} `;',
      [
        'f = `SELECT 1 WHERE a IS NOT NULL AND b < ${c} `;',
        'f = `SELECT 1 WHERE a IS NULL OR b < ${c} `;',
        'f = `SELECT 1 WHERE a IS NULL AND b <= ${c} `;',
      ],
    ],
    ['f = "a" + b;', []],
    ['log.warn(a);', []],
    ['import a from "a"; type A = 1; @D(1) class B {}', []],
  ])('of %j', (text, faulty) => {
    expect(faultsOf(text).map((fault) => withFault(text, fault))).toEqual(faulty);
  });

  it('have lines, and are drawn by the seed, each once', () => {
    expect(faultsOf('\na < b;\nc > d;').map(({ line }) => line)).toEqual([2, 3]);
    const [once, again, other] = [1, 1, 2].map((seed) =>
      drawn([1, 2, 3, 4, 5, 6, 7], 9, seededNumbers(seed)),
    );
    expect(once).toEqual(again);
    expect(once).not.toEqual(other);
    expect([...once!].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

it('reach a file by imports: specs beside it first, then those of a similar name', () => {
  const importers = new Map(
    Object.entries({
      'src/a/b-c.js': ['src/a/d.js', 'src/a/b-c.spec.js', 'test/faults/b-c.spec.js', 'test/e2e/c.spec.js'],
      'src/a/d.js': ['src/a/a.spec.js', 'src/e/e.spec.js', 'test/e2e/d.spec.js'],
    }).map(([file, by]) => [file, new Set(by)]),
  );
  expect(reachingSpecs('src/a/b-c.ts', importers, { mostNear: 3, mostWide: 1 })).toEqual({
    near: ['src/a/b-c.spec.js', 'src/a/a.spec.js', 'src/e/e.spec.js'],
    wide: ['test/e2e/c.spec.js'],
  });
});
