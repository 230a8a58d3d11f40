import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

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

const moduleOf = (file: string): string | null => /^modules\/([^/]+)\//.exec(file)?.[1] ?? null;
const isSpec = (file: string): boolean => file.endsWith('.spec.ts');

/** Which modules a module may use. A module without an entry uses no other module. */
const MAY_USE: Record<string, string[]> = {
  workspaces: ['api-keys'],
  admin: [
    'workspaces',
    'api-keys',
    'usage',
    'jobs',
    'audit',
    'delivery',
    'erasures',
    'events',
    'exports',
    'schedules',
    'scraping',
    'workspace-data',
  ],
  audit: ['api-keys'],
  sessions: ['api-keys', 'workspaces'],
  'workspace-data': ['workspaces', 'jobs', 'media', 'scraping', 'exports', 'datasets'],
  'api-keys': ['usage', 'workspaces'],
  usage: ['workspaces', 'metrics'],
  encryption: ['alerts', 'idempotency', 'subscriptions', 'webhooks', 'workspace-keys'],
  suppressions: ['api-keys', 'workspace-keys'],
  erasures: [
    'arrivals',
    'alerts',
    'api-keys',
    'comments',
    'datasets',
    'delivery',
    'events',
    'exports',
    'idempotency',
    'jobs',
    'media',
    'posts',
    'removal',
    'schedules',
    'scraping',
    'search',
    'streams',
    'suppressions',
    'workspace-keys',
  ],
  removal: ['labels', 'media', 'posts', 'scraping'],
  idempotency: ['usage'],
  jobs: ['health', 'usage', 'metrics', 'workspaces'],
  labels: ['search', 'workspaces'],
  media: ['usage'],
  schedules: ['jobs', 'usage', 'metrics', 'workspaces'],
  search: ['metrics', 'usage'],
  sources: ['api-keys'],
  posts: ['arrivals', 'search', 'suppressions', 'usage'],
  comments: ['arrivals', 'search', 'suppressions', 'usage'],
  searches: ['arrivals', 'comments', 'exports', 'notifications', 'posts', 'search', 'usage', 'workspaces'],
  analytics: ['posts', 'comments', 'search'],
  exports: [
    'alerts',
    'posts',
    'comments',
    'search',
    'media',
    'events',
    'metrics',
    'suppressions',
    'usage',
    'workspace-keys',
    'workspaces',
  ],
  datasets: ['alerts', 'exports', 'labels', 'media', 'suppressions', 'usage', 'workspaces'],
  imports: ['alerts', 'posts', 'comments', 'scraping'],
  retention: [
    'posts',
    'comments',
    'media',
    'delivery',
    'events',
    'jobs',
    'removal',
    'scraping',
    'workspaces',
    'metrics',
  ],
  rechecks: ['posts', 'comments', 'removal', 'scraping', 'streams', 'workspaces', 'metrics'],
  streams: ['metrics'],
  scraping: [
    'health',
    'streams',
    'jobs',
    'posts',
    'comments',
    'alerts',
    'events',
    'media',
    'metrics',
    'workspaces',
  ],
  delivery: ['events', 'webhooks', 'notifications', 'alerts', 'metrics', 'subscriptions', 'workspaces'],
  subscriptions: ['alerts', 'api-keys', 'notifications', 'usage'],
  alerts: ['analytics', 'comments', 'events', 'notifications', 'posts', 'search', 'usage'],
  webhooks: ['events', 'usage'],
  mcp: ['api-keys', 'notifications'],
  members: ['api-keys', 'notifications', 'usage'],
  'sign-on': ['admin', 'api-keys', 'members', 'workspaces'],
};

/** Which other folders of `src` the files of a folder may import. Modules are separated by MAY_USE. */
const BELOW: Record<string, string[]> = {
  common: [],
  config: ['common'],
  database: ['common', 'config', 'text'],
  http: ['common', 'config', 'database'],
  infrastructure: ['common', 'config', 'http'],
  platforms: ['common', 'config', 'infrastructure'],
  sandbox: ['common', 'config'],
  text: ['common'],
  enrichment: ['common', 'config', 'platforms', 'text'],
  modules: ['common', 'config', 'database', 'http', 'infrastructure', 'platforms', 'enrichment', 'text'],
  openapi: ['common', 'config', 'http', 'platforms', 'enrichment', 'modules', 'app.module.ts'],
  launcher: ['common', 'config', 'database', 'infrastructure'],
  cli: [
    'common',
    'config',
    'database',
    'http',
    'infrastructure',
    'enrichment',
    'modules',
    'launcher',
    'platforms',
    'sandbox',
  ],
};

/** The folder of a file, or a file of `src` itself. */
const folderOf = (file: string): string => file.split('/')[0]!;

const production = imports.filter(({ from }) => !isSpec(from));

function offenders(breaks: (one: Import) => boolean, why: string): string[] {
  return production.filter(breaks).map(({ from, to }) => `src/${from} imports src/${to}: ${why}`);
}

/** The module that owns each table: the one whose folder contains the table's entity. */
const TABLE_OWNERS = new Map(
  files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/@Entity\('([a-z_]+)'/g)].map(
      ([, table]) => [table!, moduleOf(file)] as const,
    ),
  ),
);

/** Statements on tables of other modules: one that touches no row, and one to be replaced by a call of the owner. */
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
  it('lets only the module that owns a table name it in SQL', () => {
    const foreign = files
      .filter((file) => !isSpec(file) && !file.startsWith('database/migrations/'))
      .flatMap((file) =>
        tablesIn(file)
          .filter((table) => TABLE_OWNERS.get(table) !== moduleOf(file))
          .map((table) => `src/${file}: ${table}`),
      );
    // Instead of adding a line here, call the repository of the module with the table's entity, and add the method
    // there.
    expect(foreign.sort()).toEqual(FOREIGN_STATEMENTS);
  });

  it('reads real imports', () => {
    expect(production.length).toBeGreaterThan(100);
  });

  it('lets a module use only the modules it is allowed to', () => {
    expect(
      offenders(({ from, to }) => {
        const [user, used] = [moduleOf(from), moduleOf(to)];
        return user !== null && used !== null && user !== used && !(MAY_USE[user] ?? []).includes(used);
      }, 'add it to MAY_USE in test/architecture.spec.ts if the dependency is meant and makes no cycle'),
    ).toEqual([]);
  });

  it('lets searches pass from the service to the engines, and not back', () => {
    const layers = [
      'modules/search/segments/format/',
      'modules/search/sql/',
      'modules/search/segments/read/',
    ];
    const layerOf = (file: string): number => layers.findIndex((layer) => file.startsWith(layer));
    expect(
      offenders(
        ({ from, to }) =>
          (to.startsWith('modules/search/segments/') && !from.startsWith('modules/search/')) ||
          (layerOf(from) >= 0 && layerOf(from) < layerOf(to)) ||
          (layerOf(from) >= 0 && to === 'search/search.service.ts'),
        'use the methods of SearchService',
      ),
    ).toEqual([]);
  });

  it('has no unused permissions', () => {
    const used = new Set(
      production.map(({ from, to }) => `${moduleOf(from) ?? ''} uses ${moduleOf(to) ?? ''}`),
    );
    const permissions = Object.entries(MAY_USE).flatMap(([user, names]) =>
      names.map((name) => `${user} uses ${name}`),
    );
    expect(permissions.filter((permission) => !used.has(permission))).toEqual([]);
  });

  it('lets a folder import only the folders below it', () => {
    expect(
      offenders(({ from, to }) => {
        const below = BELOW[folderOf(from)];
        return below !== undefined && folderOf(from) !== folderOf(to) && !below.includes(folderOf(to));
      }, 'see BELOW in test/architecture.spec.ts'),
    ).toEqual([]);
  });

  it('has a rule for every folder', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf));
    expect([...folders].sort()).toEqual(Object.keys(BELOW).sort());
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
        ({ from, to }) => to === 'access/api-keys/api-key.guard.ts' && from !== 'app.module.ts',
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
    const edges = new Map<string, string[]>();
    for (const { from, to } of production) edges.set(from, [...(edges.get(from) ?? []), to]);
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });
});
