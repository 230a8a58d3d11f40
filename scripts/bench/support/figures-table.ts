import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FIGURES, type Figure } from './figures.js';
import { median } from './measure.js';

/** Compiled benchmarks run from `dist/scripts/bench`. */
export const ROOT = resolve(import.meta.dirname, '../../../..');
const PAGE = join(ROOT, 'docs/benchmarks.md');
const BEGIN = '<!-- figures: written by npm run bench -- all -->';
const END = '<!-- end of figures -->';
/** A benchmark that takes longer is ended and its row says so. */
const TIMEOUT_MS = 30 * 60_000;
/** Line below the headings of the table. */
export const UNDER_HEADING = '|---|---|---|---|---|';
/** Columns of the table, with the empty text before the first bar. */
const TITLE_COLUMN = 1;
const VALUE_COLUMN = 2;

/** The rows of the table in `docs/benchmarks.md`, by the title of their figure. */
export function readTable(): Map<string, string> {
  const [, rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN);
  const [, table = ''] = rest.split(END)[0]!.split(UNDER_HEADING);
  const rows = table.split('\n').filter((line) => line !== '');
  return new Map(rows.map((row) => [row.split(' | ')[TITLE_COLUMN]!, row]));
}

/** Replaces the table in `docs/benchmarks.md` by lines. */
export function writeTable(lines: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    `${page.split(BEGIN)[0]}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${page.split(END)[1]}`,
  );
}

/** The number in a row of the table; null when its benchmark failed or never ran. */
export function valueIn(row: string | undefined): number | null {
  const value = Number(row?.split(' | ')[VALUE_COLUMN]?.replaceAll(',', ''));
  return Number.isNaN(value) ? null : value;
}

/** The commands of these figures whose benchmark is named, once each; without names, all. */
export function commandsOf(figures: readonly Figure[], names: readonly string[]): string[] {
  const commands = new Set(figures.map(({ command }) => command));
  return [...commands].filter((command) => names.length === 0 || names.includes(command.split(' ')[0]!));
}

/** The figures that one benchmark prints, in a process of its own; null when it failed. */
export async function figuresOf(command: string): Promise<unknown> {
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

/** The figures of a benchmark in the table. */
export const figuresIn = (command: string): Figure[] =>
  FIGURES.filter((figure) => figure.command === command);

/** The value at a path such as `alone.first.p95`; an array as its median; null when there is none. */
export function valueAt(figures: unknown, path: string): number | null {
  const value = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], figures);
  if (Array.isArray(value)) return median(value as number[]);
  return typeof value === 'number' ? value : null;
}
