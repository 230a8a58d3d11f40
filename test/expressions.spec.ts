import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './support/doc-blocks.js';
import { filled } from '../scripts/bench/support/worst-texts.js';
import { isSteep } from './support/steep-work.js';

/** As long as the longest body that is stored. */
const LENGTH = 40_000;

/** Expressions that are not linear, whose input is cut before to a number of characters. */
const BOUNDED = [
  // MAX_PAGE_HEAD
  'src/platforms/http/response-class.ts /<(style|script)\\b.*?<\\/\\1>/gis',
];

/** Expressions made at run time, of constants and escaped words; the texts that they meet are single short values. */
const MADE_AT_RUN_TIME = [
  'src/cli/diagnosis/server-checks.ts',
  'src/collect/imports/dump-filter.ts',
  'src/content/analytics/dto/analytics.dto.ts',
  'src/http/parameters/query-transforms.ts',
  'src/platforms/http/response-class.ts',
  'src/search/sort-value.ts',
  'src/search/suggest/name-uses.ts',
  'src/takeout/exports/unescaped-text.ts',
  'src/text/language/scripts.ts',
];

const FILES = ['src', 'web/src', 'clients/typescript/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    // Migrations read no texts of strangers.
    .filter((file) => !file.startsWith('src/database/migrations/'))
    .sort(),
);

interface Found {
  place: string;
  /** Null for `new RegExp(…)`. */
  literal: string | null;
}

function expressionsOf(file: string): Found[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ place: file, literal: node.text });
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp')
      found.push({ place: file, literal: null });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const found = FILES.flatMap(expressionsOf);
const literals = found.filter((one): one is Found & { literal: string } => one.literal !== null);

/** Characters and sequences that writers of posts repeat. */
const UNITS = [
  ...'()<>[]{} \n\t&*_~`"\'.-/\\|=!?@#%+,:;^$0aAé\u0301\u200d\u00a0あ',
  ...[
    '\r\n',
    '&amp;',
    '&#',
    'a\u0301',
    '😀',
    'a ',
    'a.',
    '. ',
    '](',
    'https://',
    'www.',
    '<p>',
    '<!--',
    'u/',
  ],
];
/** Characters that follow an opening. */
const FOLLOWING = [' ', '\n', '(', ')', '<', 'a', '0', '.', '*', '/', '-', '_'];

/** Texts of any length that are bad for backtracking, and openings taken from the expression itself. */
function hostileTo(source: string): ((length: number) => string)[] {
  const plain = source.replace(/\\[bBdDsSwWpP](?:\{[^}]*\})?/g, ' ').replace(/\\(.)/g, '$1');
  const openings = [...new Set(plain.match(/[A-Za-z<>&@#:"'=_/`-]{2,20}/g) ?? [])].slice(0, 8);
  const fill = (start: string, unit: string, end: string) => (length: number) =>
    filled(start, unit, end, length);
  return [
    ...[...UNITS, ...openings].map((unit) => fill('', unit, '')),
    ...FOLLOWING.flatMap((unit) => [fill('x', unit, 'x'), fill('x', unit, '\u0001')]),
    ...openings.flatMap((opening) => FOLLOWING.map((unit) => fill(opening, unit, ''))),
  ];
}

async function steepText(place: string, literal: string): Promise<string[]> {
  const end = literal.lastIndexOf('/');
  const expression = new RegExp(literal.slice(1, end), literal.slice(end + 1));
  const apply = (text: string): void => {
    if (expression.global) text.replace(expression, '');
    else expression.test(text);
  };
  for (const textOf of hostileTo(expression.source))
    if (await isSteep((length) => apply(textOf(length)), LENGTH))
      return [`${place} ${literal} on ${JSON.stringify(textOf(20))}…`];
  return [];
}

describe('regular expressions', () => {
  it('take time in proportion to a hostile text, or have their input cut', async () => {
    expect(literals.length).toBeGreaterThan(200);
    const distinct = new Map(literals.map((one) => [`${one.place} ${one.literal}`, one]));
    const steep: string[] = [];
    for (const [name, { place, literal }] of distinct)
      if (!BOUNDED.includes(name)) steep.push(...(await steepText(place, literal)));
    expect(steep).toEqual([]);
  });

  it('of the list of bounded ones exist', () => {
    const known = new Set(literals.map(({ place, literal }) => `${place} ${literal}`));
    expect(BOUNDED.filter((one) => !known.has(one))).toEqual([]);
  });

  it('that are made at run time are known', () => {
    const made = found.filter(({ literal }) => literal === null).map(({ place }) => place);
    expect([...new Set(made)].sort()).toEqual(MADE_AT_RUN_TIME);
  });
});
