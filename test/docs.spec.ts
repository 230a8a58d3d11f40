import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { configurationPage } from '../src/config/configuration-page.js';
import { QUOTAS } from '../src/config/quotas.js';
import { PluginRegistry } from '../src/enrichment/plugins/plugin-registry.js';
import { PROBLEM_STATUS } from '../src/http/problems/problem.js';
import { EXPORT_FORMATS } from '../src/takeout/exports/formats/export-formats.js';
import { CHANNELS } from '../src/messages/channels/channels.js';
import { POST_SEARCH } from '../src/content/posts/post-filter.js';
import { SOURCES } from '../src/platforms/registry.js';
import { resolveForums } from '../src/sandbox/data/forums.js';
import { REFUSED_FORUMS, SUSPENDED_USER } from '../src/sandbox/server/refused-targets.js';
import { blocks, blocksOf, NOT_EXECUTED, pages, ROOT } from './support/doc-blocks.js';

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The address of a heading within its page, as GitHub writes it. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** The parameters of `GET /posts` that filter; `ids` is used only within the service. */
const FILTERS = Object.keys(POST_SEARCH.filters).filter((name) => name !== 'ids');

/** Paths in code spans and diagrams that begin with a folder of the project and name one file. */
const FILE =
  /\b(?:web\/src|src|test|docs|scripts|docker|clients|\.ci)\/[\w./-]*\.(?:ts|mjs|cjs|md|json|yaml|d\.ts)\b/g;

it('docs/api.md explains every code with its status', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(PROBLEM_STATUS);
});

it('docs/configuration.md is the page that the variables give, each with its meaning', () => {
  expect(read('docs/configuration.md')).toBe(configurationPage());
  expect(configurationPage()).not.toMatch(/\| +\|$/m);
});

it.each<[string, string, readonly string[]]>([
  ['docs/sources.md', 'source', SOURCES.all.map(({ name }) => name)],
  ['docs/alerts.md', 'channel', CHANNELS.all.map(({ name }) => `\`${name}\``)],
  ['docs/api.md', 'export format', EXPORT_FORMATS.all.map(({ name }) => `\`${name}\``)],
  ['docs/api.md', 'quota', QUOTAS.all.map(({ name }) => `\`${name}\``)],
  ['docs/api.md', 'filter of posts', FILTERS.map((name) => `\`${name}\``)],
  ['docs/scraping.md', 'plugin', new PluginRegistry().list().map(({ name }) => `\`${name}\``)],
])('%s names every %s', (page, _kind, names) => {
  const text = read(page);
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

it.each(pages)('%s names only files that exist', (page) => {
  const named = new Set(read(page).match(FILE) ?? []);
  const exists = (file: string): boolean =>
    existsSync(join(ROOT, file)) || existsSync(resolve(ROOT, page, '..', file));
  expect([...named].filter((file) => !exists(file) && !file.includes('NAME'))).toEqual([]);
});

it.each(pages)('%s links only to pages that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, target]) => target!,
  );
  expect(links.filter((target) => !existsSync(resolve(ROOT, page, '..', target)))).toEqual([]);
});

it.each(pages)('%s links only to headings that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)];
  const headings = (target: string): string[] =>
    [
      ...readFileSync(resolve(ROOT, page, target === '' ? '.' : '..', target), 'utf8').matchAll(
        /^#+ (.+)$/gm,
      ),
    ].map(([, title]) => anchorOf(title!));
  const missing = links.filter(([, target, anchor]) => !headings(target!).includes(anchor!));
  expect(missing.map(([link]) => link)).toEqual([]);
});

it.each([
  ['README.md', 'package.json'],
  ['docs/contributing.md', 'package.json'],
  ['docs/command-line.md', 'clients/typescript/package.json'],
  ['clients/typescript/README.md', 'clients/typescript/package.json'],
])('%s names the versions of Node.js that %s supports', (page, manifest) => {
  const { engines } = JSON.parse(read(manifest)) as { engines: { node: string } };
  const lines = engines.node.split('||').map((part) => /\d+\.\d+/.exec(part)![0]);
  const words = [lines.slice(0, -1).join(', '), lines.at(-1)].filter(Boolean).join(' or ');
  const named = [...read(page).matchAll(/Node\.js \(?(\d+\.\d+(?:(?:,| or) \d+\.\d+)*)/g)].map(
    ([, text]) => text,
  );
  expect(new Set(named)).toEqual(new Set([words]));
});

it('docs/testing.md explains the forums and refusals of the synthetic platform', () => {
  const named = [...read('docs/testing.md').matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/\w+/g)].map(([name]) => name),
  );
  const forums = resolveForums().map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining([...forums, ...Object.keys(REFUSED_FORUMS), SUSPENDED_USER]));
});

describe('code blocks', () => {
  it('has a reason for every block that is not executed, and no reason without a block', () => {
    const first = new Set(blocks.map((block) => block.text.split('\n')[0]!));
    expect(Object.keys(NOT_EXECUTED).filter((line) => !first.has(line))).toEqual([]);
  });

  it('names an existing file that executes each block that is executed elsewhere', () => {
    for (const { runBy } of Object.values(NOT_EXECUTED))
      if (runBy) expect(read(runBy[0])).toContain(runBy[1]);
  });

  it('reads every fence of the pages', () => {
    const fences = (page: string) => read(page).match(/^\s*(?:```|~~~)/gm) ?? [];
    for (const page of pages) expect([page, fences(page).length]).toEqual([page, 2 * blocksOf(page).length]);
  });

  it('has TypeScript only on the page of the client', () => {
    const others = blocks.filter(
      ({ language, page }) => language === 'ts' && page !== 'clients/typescript/README.md',
    );
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it('knows how to execute every language', () => {
    const known = ['sh', 'js', 'ts', 'json', 'python', 'mermaid', 'text'];
    expect(blocks.filter(({ language }) => !known.includes(language)).map(({ name }) => name)).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  interface Flow {
    files: Map<string, string>;
    edges: { from: string; to: string; isImport: boolean }[];
  }

  const NODE = /(\w+)\["([^"]+)"\]/g;
  const EDGE = /^\s*(\w+)(?:\["[^"]+"\])? (-->|-\.->)\|"[^"]+"\| (\w+)/gm;

  /** The diagram below a heading. */
  function flowOf(heading: string): Flow {
    const section = read('docs/architecture.md').split(`\n## ${heading}\n`)[1]!;
    const diagram = /```mermaid\n([\s\S]*?)```/.exec(section)![1]!;
    return {
      files: new Map([...diagram.matchAll(NODE)].map(([, name, file]) => [name!, file!])),
      edges: [...diagram.matchAll(EDGE)].map(([, from, arrow, to]) => ({
        from: from!,
        to: to!,
        isImport: arrow === '-->',
      })),
    };
  }

  function importsOf(file: string): string[] {
    return [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
      relative(ROOT, resolve(ROOT, file, '..', path!.replace(/\.js$/, '.ts'))),
    );
  }

  it.each([
    ['A request', 6],
    ['A search', 15],
    ['A scrape', 12],
    ['An event', 8],
  ])('%s passes through at most %d files, in one direction', (heading, limit) => {
    const { files, edges } = flowOf(heading);
    expect(files.size).toBeLessThanOrEqual(limit);
    const order = [...files.keys()];
    expect(edges.length).toBeGreaterThanOrEqual(order.length - 1);
    expect(edges.filter(({ from, to }) => order.indexOf(from) >= order.indexOf(to))).toEqual([]);
  });

  it.each(['A request', 'A search', 'A scrape', 'An event'])(
    '%s shows only imports that exist, and none in the opposite direction',
    (heading) => {
      const { files, edges } = flowOf(heading);
      const imports = edges.map((edge) => ({
        from: files.get(edge.from)!,
        to: files.get(edge.to)!,
        isImport: edge.isImport,
      }));
      expect(imports.filter(({ from, to, isImport }) => isImport && !importsOf(from).includes(to))).toEqual(
        [],
      );
      expect(imports.filter(({ from, to, isImport }) => isImport && importsOf(to).includes(from))).toEqual(
        [],
      );
    },
  );
});

/** How a figure of quality may have been measured; a fit is none of them. */
const SPLITS = ['held out', 'left out', 'cross-validation'];

it('docs/model-card.md names the split of each figure, and none is a fit', () => {
  const [, section] = /^## Figures\n([^]*?)^## /m.exec(read('docs/model-card.md'))!;
  const rows = section!.split('\n').filter((line) => /^\| \w/.test(line) && !line.startsWith('| Figure |'));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !SPLITS.includes(row.split('|')[3]!.trim()))).toEqual([]);
});

it.each(pages)('%s gives figures of quality only in a table that names their split', (page) => {
  const tables = /^## (?:Figures|Spikes in series left out)\n[^]*?(?=^## )/gm;
  const figure = /(?:F1|benchmark|labelled series)\b[^\n|]*?\s\.?\d*\.\d|\d\.\d on (?:five|ten|labelled)/;
  expect(
    read(page)
      .replace(tables, '')
      .split('\n')
      .filter((line) => figure.test(line)),
  ).toEqual([]);
});
