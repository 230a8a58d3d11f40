import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { FIGURES } from './support/figures.js';
import {
  commandsOf,
  figuresIn,
  figuresOf,
  readTable,
  ROOT,
  UNDER_HEADING,
  valueAt,
  writeTable,
} from './support/figures-table.js';

/** Arguments of `npm run bench -- all`. */
export const USAGE =
  'all [NAME ...]: the benchmarks to run; without names, all of the table in docs/benchmarks.md';

/**
 * Runs the benchmarks one after another and writes their figures, with machine and commit, into the table of
 * `docs/benchmarks.md`. Rows of benchmarks that were not run keep their figures.
 */
export async function run(names: string[] = []): Promise<Record<string, unknown>> {
  const rows = readTable();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();
  const results: Record<string, unknown> = {};
  for (const command of commandsOf(FIGURES, names)) {
    const figures = await figuresOf(command);
    results[command] = figures;
    for (const { title, path, aim } of figuresIn(command)) {
      const value = valueAt(figures, path)?.toLocaleString('en') ?? 'failed';
      rows.set(title, `| \`${command}\` | ${title} | ${value} | ${aim} | ${commit} |`);
    }
  }
  writeTable([
    `Machine: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 1_024 ** 3)} GiB, Node.js ${process.versions.node}.`,
    '',
    '| `npm run bench --` | Figure | Value | Aim | Commit |',
    UNDER_HEADING,
    ...FIGURES.flatMap(({ title }) => rows.get(title) ?? []),
  ]);
  return results;
}
