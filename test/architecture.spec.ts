import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { domainOf, MAY_USE, ownerOf } from './support/domains.js';

/** Compiled tests run from `dist`; imports are read from the sources. */
const SOURCE = resolve(import.meta.dirname, '../../src');

interface Import {
  from: string;
  to: string;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

const STATEMENT = /(?:^import|^export)\s+[^;'"]*?\s*from\s+'(\.[^']+)'|import\s*\(\s*'(\.[^']+)'/gm;

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(SOURCE, from), 'utf8').matchAll(STATEMENT)].map(([, path, dynamic]) => ({
    from,
    to: relative(
      SOURCE,
      resolve(join(SOURCE, dirname(from)), (path ?? dynamic)!.replace(/\.js$/, '.ts')),
    ).replaceAll('\\', '/'),
  })),
);

const withoutImports = (file: string): string =>
  readFileSync(join(SOURCE, file), 'utf8').replace(STATEMENT, '');

const isSpec = (file: string): boolean => file.endsWith('.spec.ts');

/** Which folders of the ground the files of a folder may import. Domains are separated by MAY_USE. */
const BELOW: Record<string, string[]> = {
  common: [],
  config: ['common'],
  database: ['common', 'config', 'text'],
  http: ['common', 'config', 'database'],
  infrastructure: ['common', 'config', 'database', 'http'],
  platforms: ['common', 'config', 'infrastructure'],
  sandbox: ['common', 'config'],
  text: ['common'],
  enrichment: ['common', 'config', 'platforms', 'text'],
  openapi: ['common', 'config', 'http', 'platforms', 'enrichment', 'app.module.ts'],
  launcher: ['common', 'config', 'database', 'infrastructure'],
  cli: [
    'common',
    'config',
    'database',
    'http',
    'infrastructure',
    'enrichment',
    'launcher',
    'platforms',
    'sandbox',
  ],
};
/** What every domain may import besides the domains of MAY_USE. */
const GROUND = ['common', 'config', 'database', 'http', 'infrastructure', 'platforms', 'enrichment', 'text'];
/** Folders outside the domains that put the whole together, and so may import any domain. */
const ABOVE_DOMAINS = ['openapi', 'cli'];

/** The folder of a file, or a file of `src` itself. */
const folderOf = (file: string): string => file.split('/')[0]!;

const production = imports.filter(({ from }) => !isSpec(from));

function offenders(breaks: (one: Import) => boolean, why: string): string[] {
  return production.filter(breaks).map(({ from, to }) => `src/${from} imports src/${to}: ${why}`);
}

/** The circles that a walk along the arrows finds, each as `a -> b -> a`. */
function circlesOf(arrows: readonly (readonly [string, string])[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (place: string, path: string[]): void => {
    if (state.get(place) === 'done') return;
    if (state.get(place) === 'open') {
      circles.push([...path.slice(path.indexOf(place)), place].join(' -> '));
      return;
    }
    state.set(place, 'open');
    for (const next of targets.get(place) ?? []) visit(next, [...path, place]);
    state.set(place, 'done');
  };
  for (const place of targets.keys()) visit(place, []);
  return circles;
}

/** The circles between the folders directly below `inside`; files that lie there themselves are on top of them. */
function circlesOfFolders(inside: string): string[] {
  const folder = (file: string): string | null => /^([^/]+)\//.exec(file.slice(inside.length))?.[1] ?? null;
  const arrows = production
    .filter(({ from, to }) => from.startsWith(inside) && to.startsWith(inside))
    .map(({ from, to }) => [folder(from), folder(to)] as const)
    .filter((arrow): arrow is readonly [string, string] => !arrow.includes(null) && arrow[0] !== arrow[1]);
  return circlesOf(arrows).map((circle) => `src/${inside}: ${circle}`);
}

/** The folder that owns each table: the one that contains the table's entity. */
const TABLE_OWNERS = new Map(
  files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/@Entity\('([a-z_]+)'/g)].map(
      ([, table]) => [table!, ownerOf(file)] as const,
    ),
  ),
);

/** Statements on tables of other owners: one that touches no row, and one to be replaced by a call of the owner. */
const FOREIGN_STATEMENTS = [
  'src/database/transaction-runner.ts: media_usage',
  'src/launcher/service.ts: workspaces',
];

/** Tables that a file names in SQL. */
function tablesIn(file: string): string[] {
  const names = readFileSync(join(SOURCE, file), 'utf8').matchAll(
    /\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(?:ONLY\s+)?([a-z_]+)\b/g,
  );
  return [...new Set([...names].map(([, name]) => name!))].filter((name) => TABLE_OWNERS.has(name));
}

describe('the boundaries between folders', () => {
  it('lets only the owner of a table name it in SQL', () => {
    const foreign = files
      .filter((file) => !isSpec(file) && !file.startsWith('database/migrations/'))
      .flatMap((file) =>
        tablesIn(file)
          .filter((table) => TABLE_OWNERS.get(table) !== ownerOf(file))
          .map((table) => `src/${file}: ${table}`),
      );
    // Instead of adding a line here, call the repository beside the table's entity, and add the method
    // there.
    expect(foreign.sort()).toEqual(FOREIGN_STATEMENTS);
  });

  it('replaces stored texts only if they were read no later', () => {
    const statements = files
      .filter((file) => !isSpec(file))
      .flatMap(
        (file) =>
          readFileSync(join(SOURCE, file), 'utf8').match(/`UPDATE (?:posts|comments) SET[^`]*/g) ?? [],
      )
      .filter((statement) => /\bsearch =/.test(statement));
    expect(statements.length).toBeGreaterThanOrEqual(2);
    expect(statements.filter((statement) => !statement.includes('${readNoLater('))).toEqual([]);
  });

  it('reads real imports', () => {
    expect(production.length).toBeGreaterThan(100);
  });

  it('lets a domain use only the domains that it may', () => {
    expect(
      offenders(({ from, to }) => {
        const [user, used] = [domainOf(from), domainOf(to)];
        return user !== null && used !== null && user !== used && !MAY_USE[user]!.includes(used);
      }, 'see MAY_USE in test/support/domains.ts'),
    ).toEqual([]);
  });

  it('has no circle between domains, nor between the folders inside one', () => {
    const inside = [...Object.keys(MAY_USE), 'http', 'platforms', 'infrastructure', 'enrichment', 'openapi'];
    expect(['', ...inside.map((folder) => `${folder}/`)].flatMap(circlesOfFolders)).toEqual([]);
  });

  it('lets searches pass from the service to the engines, and not back', () => {
    const layers = ['search/segments/format/', 'search/sql/', 'search/segments/read/'];
    const layerOf = (file: string): number => layers.findIndex((layer) => file.startsWith(layer));
    expect(
      offenders(
        ({ from, to }) =>
          (to.startsWith('search/segments/') && !from.startsWith('search/')) ||
          (layerOf(from) >= 0 && layerOf(from) < layerOf(to)) ||
          (layerOf(from) >= 0 && to === 'search/search.service.ts'),
        'use the methods of SearchService',
      ),
    ).toEqual([]);
  });

  it('has no unused permissions', () => {
    const used = new Set(
      production.map(({ from, to }) => `${domainOf(from) ?? ''} uses ${domainOf(to) ?? ''}`),
    );
    const permissions = Object.entries(MAY_USE).flatMap(([user, names]) =>
      names.map((name) => `${user} uses ${name}`),
    );
    expect(permissions.filter((permission) => !used.has(permission))).toEqual([]);
  });

  it('lets a folder of the ground import only the folders below it', () => {
    expect(
      offenders(({ from, to }) => {
        const [folder, used] = [folderOf(from), folderOf(to)];
        if (folder === used || !from.includes('/')) return false;
        if (domainOf(from) !== null) return domainOf(to) === null && !GROUND.includes(used);
        if (domainOf(to) !== null) return !ABOVE_DOMAINS.includes(folder);
        return !BELOW[folder]!.includes(used);
      }, 'see BELOW and GROUND in test/architecture.spec.ts'),
    ).toEqual([]);
  });

  it('has a rule for every folder', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf));
    expect([...folders].sort()).toEqual([...Object.keys(BELOW), ...Object.keys(MAY_USE)].sort());
  });

  it('starts modules by path from one list, which names existing files', () => {
    const pathsIn = (file: string): string[] =>
      [...withoutImports(file).matchAll(/'([\w./-]+)\.js'/g)].map(([, path]) => `${path}.ts`);
    const starting = files.filter(
      (file) => !isSpec(file) && pathsIn(file).some((path) => files.includes(path)),
    );
    expect(starting).toEqual(['launcher/programs.ts']);
    expect(pathsIn('launcher/programs.ts').filter((path) => !files.includes(path))).toEqual([]);
  });

  it('gives no two files the same name', () => {
    const paths = new Map<string, string[]>();
    for (const file of files.filter((name) => !isSpec(name) && !name.startsWith('database/migrations/'))) {
      const name = basename(file);
      paths.set(name, [...(paths.get(name) ?? []), file]);
    }
    // The entry points of programs all have the same name.
    paths.delete('main.ts');
    expect([...paths.values()].filter((same) => same.length > 1)).toEqual([]);
  });

  it('lets only the application import app.module.ts', () => {
    expect(
      offenders(
        ({ from, to }) => to === 'app.module.ts' && !['application.ts', 'openapi/write.ts'].includes(from),
        'app.module.ts is the root; only application.ts starts it, and the contract is read off it',
      ),
    ).toEqual([]);
  });

  it('registers the guard only in app.module.ts', () => {
    expect(
      offenders(
        ({ from, to }) => to === 'access/api-key.guard.ts' && from !== 'app.module.ts',
        'the guard is global and registered once',
      ),
    ).toEqual([]);
  });

  it('marks changes only with decorators that run the interceptors of changes', () => {
    const marking = /import \{[^}]*\b(?:Post|Put|Patch|Delete|All)\b[^}]*\} from '@nestjs\/common'/;
    // Passes changes on to the API, where they run.
    const passing = ['operate/mcp/mcp.controller.ts'];
    expect(
      files.filter(
        (file) =>
          /\.controller\.ts$/.test(file) &&
          !passing.includes(file) &&
          marking.test(readFileSync(join(SOURCE, file), 'utf8')),
      ),
    ).toEqual([]);
  });

  it('has no barrels', () => {
    expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
  });

  it('has no cycles between files, including type imports', () => {
    expect(circlesOf(production.map(({ from, to }) => [from, to] as const))).toEqual([]);
  });
});
