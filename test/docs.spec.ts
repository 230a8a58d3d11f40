import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { VARIABLES } from '../src/config/environment.js';
import { PROBLEM_STATUS } from '../src/http/problem.js';

/** The tests run compiled, below `dist`. */
const ROOT = resolve(import.meta.dirname, '../..');

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Paths in code spans and diagrams that begin with a folder of the project and name one file. */
const FILE =
  /\b(?:src|test|docs|scripts|docker|clients|\.ci)\/[\w./-]*\.(?:ts|mjs|cjs|md|json|yaml|d\.ts)\b/g;

it('docs/api.md explains every code with its status', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(PROBLEM_STATUS);
});

it('docs/operations.md lists exactly the variables that are read', () => {
  const table = [...read('docs/operations.md').matchAll(/^\| (`[A-Z][^|]*`) \|/gm)];
  const named = table.flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual([...VARIABLES].sort());
});

it.each(pages)('%s names only files that exist', (page) => {
  const named = new Set(read(page).match(FILE) ?? []);
  expect([...named].filter((file) => !existsSync(join(ROOT, file)) && !file.includes('NAME'))).toEqual([]);
});

it.each(pages)('%s links only to pages that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, target]) => target!,
  );
  expect(links.filter((target) => !existsSync(resolve(ROOT, page, '..', target)))).toEqual([]);
});
