import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The project's folder; the tests run compiled, below `dist`. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** A fenced block of a page. */
export interface DocBlock {
  page: string;
  language: string;
  /** What follows the language: the name of the file that the block shows. */
  file: string;
  text: string;
  /** Page and first line, by which a person finds it. */
  name: string;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): DocBlock[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map((found) => {
    const [, language = '', file = '', content = ''] = found;
    return { page, language, file, text: content, name: `${page}: ${content.split('\n')[0]}` };
  });
}

const NEEDS_DUCKDB = 'needs duckdb, pandas and requests, which are no dependencies of this project';

/** Blocks that test/programs/doc-blocks.spec.ts does not execute, by their first line, each with its reason. */
export const NOT_EXECUTED: Record<string, string> = {
  'npm run demo    # one example from start to end on a synthetic platform: scrape, alert, signed webhook, search, export':
    'serves until Ctrl-C; the other tests start the service',
  'export PLATFORM_CLIENT_ID=...': "needs an operator's credentials",
  'git clone REPOSITORY_URL workspace-scraping-service': 'needs the address of the repository',
  '.ci/run       # clean install, lint, types, build, contract, all tests, the fault runs':
    'runs these tests',
  'npm run build': 'needs the training data',
  'ROLES=api       DATABASE_URL=postgres://... REDIS_URL=redis://... HOST=0.0.0.0 npm start':
    'needs servers of the operator',
  'npm start --silent -- --json --ephemeral': 'serves until it is stopped; harness.mjs runs it',
  'npm run platform --silent -- --json --port 4010':
    'serves until it is stopped; the service here has the same platform',
  'npm run import -- --workspace WORKSPACE_ID --file RS_2024-01.zst --forum technology,science':
    'needs a dump of several gigabytes',
  'import time, requests': NEEDS_DUCKDB,
  'import hashlib, pathlib': NEEDS_DUCKDB,
  'record = export(of="posts", format="parquet", filters={"forum": "technology"})': NEEDS_DUCKDB,
  'changes = export(of="posts", format="parquet", filters={"forum": "technology"}, incremental_from=record["id"])':
    NEEDS_DUCKDB,
  'npm run db -- plan          # prints the statements; changes nothing, and works on any Postgres':
    'needs the coordinator of a Citus cluster; test/integration/distribution.spec.ts runs the plan',
  'npm run backup -- --to /backups/2026-11-22': 'run by test/programs/backup-restore.spec.ts',
  'cd clients/typescript && npm install && npm pack': 'run by npm run client:package',
  'python3 -m venv .venv && . .venv/bin/activate':
    'installs a generator that is no dependency of this project',
  'from standardwebhooks import Webhook': 'needs a Python package; the same is run in JavaScript',
};

/** Every page of the documentation. */
export const pages = [
  'README.md',
  ...['docs', 'clients'].flatMap((name) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => `${name}/${file}`),
  ),
];
/** The blocks of all pages. */
export const blocks = pages.flatMap(blocksOf);
