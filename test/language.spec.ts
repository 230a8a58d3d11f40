import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Compiled tests run from `dist`; words are read from the sources. */
const ROOT = resolve(import.meta.dirname, '../..');

/** Words that readers of the field do not expect, with the words that replaced them. */
const REPLACED: Record<string, string[]> = {
  'lease owner': ['keeper'],
  'destination queue': ['lane', 'lanes'],
  'circuit open, half-open probe': ['suspect', 'suspects', 'suspected', 'probed'],
  'count deltas': ['tally', 'tallies', 'tallied'],
  revision: ['stamp', 'stamps', 'stamped'],
  'retry, backoff, withRetry': ['persistence', 'boldness', 'boldly', 'nap', 'naps'],
  'timeout, deadline': ['patience'],
  'queue, backlog, waiter': ['waiting line', 'hungry', 'surplus'],
  'decision, classifyResponse': ['ruling', 'rulings', 'verdict', 'verdicts', 'judge', 'judges', 'judged'],
  'dependencies, options': ['surroundings'],
  'delivery sender': ['dispatcher'],
  occurrence: ['what became of', 'what becomes of'],
  'concurrency, in progress': ['in hand', 'under way'],
  'the person or process itself': ['whoever', 'nobody', 'somebody', 'anybody'],
  'is sent, returns, requires': ['is told', 'are told', 'is asked', 'are asked', 'tells'],
  'remedy, repair': ['mend', 'mends', 'mended'],
  'structure, boundary': ['house', 'rooms'],
};

/** Uses of such a word in its ordinary technical sense. */
const ALLOWED: { word: string; file: RegExp; line: RegExp; why: string }[] = [
  {
    word: 'verdicts',
    file: /./,
    line: /\bverdicts\b(: (?:Dec|components)|\??: \{|: \{|"|'|`)/,
    why: 'a field of the contract',
  },
  { word: 'judge', file: /./, line: /\bJUDGE_(?:URL|API_KEY|MODEL)\b/, why: 'names of variables' },
  { word: 'nobody', file: /^src\/launcher\//, line: /postgres|user/i, why: 'a user of Unix systems' },
];

/** Word lists and synthetic texts: content that the service analyses or serves, not language about it. */
const CONTENT =
  /^src\/(database\/migrations|enrichment\/.*(lexicon|vocabulary|phrases|stop-?words|\.json)|sandbox\/(content|text|words|vocabulary))/;

interface Line {
  file: string;
  number: number;
  text: string;
}

const filesBelow = (folder: string): string[] =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => !/\/(node_modules|dist)\//.test(file))
    : [];

const linesOf = (file: string): Line[] =>
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ file, number: index + 1, text }));

/** `deliveryLane_id` as `delivery Lane id`, so that names are compared word by word. */
const splitNames = (text: string): string => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

const TEST_NAME = /^\s*(?:\w+(?:\(.*\))?\.)?(?:describe|it|test)(?:\.\w+)*\s*\(|\]\)\(\s*['"`]/;

const lines: Line[] = [
  ...[...filesBelow('src'), ...filesBelow('clients/typescript/src')]
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !CONTENT.test(file))
    .flatMap(linesOf),
  ...['README.md', ...filesBelow('docs'), ...filesBelow('clients/typescript')]
    .filter((file) => file.endsWith('.md'))
    .flatMap(linesOf),
  ...[...filesBelow('src'), ...filesBelow('test')]
    .filter((file) => file.endsWith('.spec.ts') && !file.endsWith('language.spec.ts'))
    .flatMap(linesOf)
    .filter(({ text }) => TEST_NAME.test(text)),
];

/** The name of a test or of a group of tests, after the table of `each`. */
const NAME =
  /\b(?:it|describe|test)(?:\.\w+)?(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^])*)\1\s*,/g;
const LONGEST_NAME = 80;

function usesOf(word: string): string[] {
  const pattern = new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i');
  return lines
    .filter(({ text }) => pattern.test(splitNames(text)))
    .filter(
      ({ file, text }) =>
        !ALLOWED.some((use) => use.word === word && use.file.test(file) && use.line.test(text)),
    )
    .map(({ file, number, text }) => `${file}:${number}: ${text.trim()}`);
}

describe('the language of code and documentation', () => {
  it('reads sources, pages and names of tests', () => {
    expect(lines.length).toBeGreaterThan(10_000);
  });

  it.each(Object.entries(REPLACED))('says "%s" instead of %j', (_instead, words) => {
    expect(words.flatMap(usesOf)).toEqual([]);
  });

  it('names tests in at most 80 characters', () => {
    const names = [...filesBelow('src'), ...filesBelow('test')]
      .filter((file) => file.endsWith('.spec.ts'))
      .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(NAME)])
      .map(([, , name]) => name!);
    expect(names.length).toBeGreaterThan(1_500);
    expect(names.filter((name) => name.length > LONGEST_NAME)).toEqual([]);
  });
});
