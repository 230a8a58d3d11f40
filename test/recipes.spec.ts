import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Compiled tests run from `dist`. */
const ROOT = resolve(import.meta.dirname, '../..');

const RECIPES = [
  'a platform',
  'a channel of alerts',
  'a quota',
  'an export format',
  "a field of a job's progress",
  'a filter of posts',
  'an event type',
  'a language',
  'an operator of queries',
  'a metric',
  'an endpoint',
  'a plugin',
  'a page of the dashboard',
  'a migration',
];

const rows = readFileSync(join(ROOT, 'docs/contributing.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| a'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the recipes in docs/contributing.md', () => {
  it('are complete', () => {
    expect(rows.map(([, name]) => name)).toEqual(RECIPES);
  });

  it.each(rows.map(([, name, ...cells]) => [name!, cells.join(' ')]))(
    'name only existing files for %s',
    (_name, text) => {
      const paths = [...text.matchAll(/`((?:src|web|docs|test|docker)\/[^`]+)`/g)].map(([, path]) => path!);
      expect(paths.length).toBeGreaterThan(1);
      expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    },
  );
});
