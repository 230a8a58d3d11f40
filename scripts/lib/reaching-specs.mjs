import { readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { filesBelow, ROOT } from './prepare.mjs';

const DIST = join(ROOT, 'dist');
const IMPORTED = /(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g;
/** Suites that `npm test` leaves out. */
const OTHER_SUITES = /^test\/(?:faults|citus|programs|browser)\//;
const IS_SPEC = /\.spec\.js$/;

/** The files that import each compiled file, by paths within the compiled tree. */
export function importers() {
  const found = new Map();
  for (const file of ['src', 'test'].flatMap((folder) => filesBelow(join(DIST, folder)))) {
    if (!file.endsWith('.js')) continue;
    const path = relative(DIST, file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      const imported = normalize(join(dirname(path), name));
      if (!found.has(imported)) found.set(imported, new Set());
      found.get(imported).add(path);
    }
  }
  return found;
}

/**
 * The specs that reach a source file by imports, in the order in which they are tried: the one with its name, those of
 * src by the length of the way, and then those of test, by the words that their names share with the file's.
 *
 * @returns {{ near: string[], wide: string[] }} compiled paths
 */
export function reachingSpecs(source, graph, { mostNear, mostWide }) {
  const file = source.replace(/\.ts$/, '.js');
  const distances = new Map([[file, 0]]);
  const queue = [file];
  for (const path of queue)
    for (const next of graph.get(path) ?? [])
      if (!distances.has(next)) {
        distances.set(next, distances.get(path) + 1);
        queue.push(next);
      }
  const own = file.replace(/\.js$/, '.spec.js');
  const specs = [...distances.keys()].filter((path) => IS_SPEC.test(path) && !OTHER_SUITES.test(path));
  const words = wordsOf(file);
  const rank = (path) => [
    path === own ? -1 : 0,
    dirname(path) === dirname(file) ? 0 : 1,
    -wordsOf(path).filter((word) => words.includes(word)).length,
    distances.get(path),
  ];
  const ranked = specs.map((path) => ({ path, rank: rank(path) })).sort(byRank);
  const first = (top, most) =>
    ranked.flatMap(({ path }) => (path.startsWith(top) ? [path] : [])).slice(0, most);
  return { near: first('src/', mostNear), wide: first('test/', mostWide) };
}

const byRank = ({ rank: a, path: one }, { rank: b, path: other }) => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? one.localeCompare(other) : a[at] - b[at];
};

/** Words of a path, without endings of plurals. */
const wordsOf = (path) =>
  path
    .replace(/\.(?:spec\.)?js$/, '')
    .split(/[/.-]/)
    .map((word) => word.replace(/(?:e?s)$/, ''));
