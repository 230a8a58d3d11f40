import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { ROOT } from '../scripts/lib/prepare.mjs';

const CLIENT = '@workspace-scraping-service/client';
/** An expression that creates a client without sending a request. */
export const USE = 'new ScrapingClient({ baseUrl: "http://127.0.0.1", apiKey: "rp_x", workspaceId: "w" })';

/**
 * The npm that runs this script, or else the one on the path; as a script path, so that any Node.js version can run it.
 */
function npmScript() {
  const own = process.env.npm_execpath;
  if (own?.endsWith('.js')) return own;
  return execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim() + '/npm/bin/npm-cli.js';
}

/** Runs npm with a Node.js version and returns its output, warnings included. Throws when it fails. */
export function npm(node, cwd, ...args) {
  return execFileSync(
    'bash',
    ['-c', '"$0" "$@" 2>&1', node, npmScript(), ...args, '--no-audit', '--no-fund', '--loglevel=warn'],
    { cwd, encoding: 'utf8', env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` } },
  );
}

/** Copies the TypeScript client's sources into a folder, as in a clone of the repository. */
export function copyClient(folder) {
  const source = join(mkdtempSync(join(folder, 'clone-')), 'client');
  cpSync(join(ROOT, 'clients/typescript'), source, {
    recursive: true,
    filter: (path) => !/(node_modules|dist)$/.test(path),
  });
  return source;
}

/** Packs the TypeScript client from a copy of its sources in a folder; returns the path of the package. */
export function packClient(folder) {
  const source = copyClient(folder);
  npm(process.execPath, source, 'install');
  npm(process.execPath, source, 'pack');
  return join(
    source,
    readdirSync(source).find((name) => name.endsWith('.tgz')),
  );
}

/**
 * Installs the client (a packed file or a folder with its sources) in an empty project below a folder, with a Node.js
 * version, and loads it with `import` and `require`. Returns the project and npm's output. Throws when a step fails.
 */
export function useClient(client, folder, node = process.execPath) {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  const printed = npm(node, project, 'install', client);
  const check = `${USE}; if (typeof verifyWebhook !== 'function') throw new Error('no verifyWebhook');`;
  writeFileSync(
    join(project, 'import.mjs'),
    `import { ScrapingClient, verifyWebhook } from '${CLIENT}'; ${check}`,
  );
  writeFileSync(
    join(project, 'require.cjs'),
    `const { ScrapingClient, verifyWebhook } = require('${CLIENT}'); ${check}`,
  );
  for (const file of ['import.mjs', 'require.cjs'])
    execFileSync(node, [file], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  return { project, printed };
}

/**
 * Bundles a project's client as one classic script for browsers that defines the global `client`. Throws when it needs
 * a module that browsers do not have, or cannot be loaded with only a browser's globals.
 */
export async function bundleClient(project) {
  const { rolldown } = createRequire(join(ROOT, 'web/package.json'))('rolldown');
  const input = join(project, 'bundle.mjs');
  writeFileSync(input, `export * from '${CLIENT}';`);
  const bundle = await rolldown({ input, cwd: project, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'iife', name: 'client' });
  await bundle.close();
  const [{ code, imports, dynamicImports }] = output;
  const missing = [...imports, ...dynamicImports];
  if (output.length !== 1 || missing.length > 0)
    throw new Error(`The client cannot be bundled for browsers: ${missing.join(', ') || 'several files'}`);
  const globals = Object.fromEntries(BROWSER_GLOBALS.map((name) => [name, globalThis[name]]));
  vm.runInNewContext(`${code}; const { ScrapingClient } = client; ${USE};`, globals);
  return code;
}

const BROWSER_GLOBALS = [
  ...['AbortController', 'AbortSignal', 'Headers', 'Request', 'Response', 'TextDecoder', 'TextEncoder'],
  ...['URL', 'URLSearchParams', 'atob', 'crypto', 'fetch', 'setTimeout', 'clearTimeout'],
];
