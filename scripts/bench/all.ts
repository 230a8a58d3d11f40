import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { FIGURES } from './support/figures.js';
import { median } from './support/measure.js';

/** Compiled benchmarks run from `dist/scripts/bench`. */
const ROOT = resolve(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'docs/benchmarks.md');
const BEGIN = '<!-- figures: written by npm run bench -- all -->';
const END = '<!-- end of figures -->';
/** A benchmark that takes longer is ended and its row says so. */
const TIMEOUT_MS = 30 * 60_000;

/** Arguments of `npm run bench -- all`. */
export const USAGE =
  'all [NAME ...]: the benchmarks to run; without names, all of the table in docs/benchmarks.md';

/**
 * Runs the benchmarks one after another and writes their figures, with machine and commit, into the table of
 * `docs/benchmarks.md`. Rows of benchmarks that were not run keep their figures.
 */
export async function run(names: string[] = []): Promise<Record<string, unknown>> {
  const page = readFileSync(PAGE, 'utf8');
  const rows = rowsOf(page);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();
  const results: Record<string, unknown> = {};
  for (const command of new Set(FIGURES.map((figure) => figure.command))) {
    if (names.length > 0 && !names.includes(command.split(' ')[0]!)) continue;
    const figures = await figuresOf(command);
    results[command] = figures;
    for (const { title, path, aim } of FIGURES.filter((figure) => figure.command === command))
      rows.set(title, `| \`${command}\` | ${title} | ${valueAt(figures, path)} | ${aim} | ${commit} |`);
  }
  const table = [
    `Machine: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 1_024 ** 3)} GiB, Node.js ${process.versions.node}.`,
    '',
    '| `npm run bench --` | Figure | Value | Aim | Commit |',
    '|---|---|---|---|---|',
    ...FIGURES.flatMap(({ title }) => rows.get(title) ?? []),
  ].join('\n');
  writeFileSync(PAGE, `${page.split(BEGIN)[0]}${BEGIN}\n\n${table}\n\n${END}${page.split(END)[1]}`);
  return results;
}

/** The table's rows of earlier runs, by the title of their figure. */
function rowsOf(page: string): Map<string, string> {
  const table = page.split(BEGIN)[1]?.split(END)[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(rows.map((row) => [row.split(' | ')[1]!, row]));
}

/** The figures that one benchmark prints, in a process of its own; null when it failed. */
async function figuresOf(command: string): Promise<unknown> {
  const child = spawn(process.execPath, ['scripts/bench.mjs', ...command.split(' ')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  let printed = '';
  for await (const chunk of child.stdout) printed += String(chunk);
  try {
    return JSON.parse(printed) as unknown;
  } catch {
    return null;
  }
}

/** The value at a path such as `alone.first.p95`; an array as its median; `failed` when there is none. */
function valueAt(figures: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], figures);
  if (Array.isArray(value)) return String(median(value as number[]));
  return typeof value === 'number' ? value.toLocaleString('en') : 'failed';
}
