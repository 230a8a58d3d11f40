import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { decideBuild, needsInstall } from './freshness.mjs';
import { endWithNpm } from './parent.mjs';

export const ROOT = join(import.meta.dirname, '../..');
/** Whether this is the npm package of a release, which is built and has no sources. */
export const IS_RELEASE = !existsSync(join(ROOT, 'package-lock.json'));
const LOCK = join(ROOT, '.prepare.lock');
const HEARTBEAT_MS = 2_000;
const STALE_AFTER_MS = 15_000;
const LONGEST_WAIT_MS = 900_000;

/** The two builds share `dist`; the test build adds the tests to the other. */
const BUILDS = {
  build: { args: ['build'], info: '.build.tsbuildinfo', record: '.build.inputs.json' },
  test: {
    args: ['build', '--path', 'tsconfig.test.json'],
    info: '.test.tsbuildinfo',
    record: '.test.inputs.json',
  },
};

/**
 * Installs and builds whatever is missing or stale and prints that on standard error; returns quickly when all is up to
 * date. Exits with a message when it fails. When two commands run at once, one waits for the other.
 *
 * @param {'build' | 'test'} kind
 */
export async function prepare(kind = 'build') {
  endWithNpm();
  if (IS_RELEASE) return;
  try {
    if (!installIsDue() && buildDue(kind) === 'fresh') return;
    await alone(async () => {
      if (installIsDue()) await install();
      const due = buildDue(kind);
      if (due !== 'fresh') await build(kind, due === 'clean build');
    });
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

/**
 * Imports a module of the compiled tree, e.g. `src/cli/demo.js`. Node.js 22 and later cache V8's compiled code next to
 * the tree, for this process and its children. The folder is not shared, so other users cannot replace that code.
 */
export function compiled(path) {
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'dist/.compile-cache');
  // Not available in Node.js 20.
  nodeModule.enableCompileCache?.();
  return import(pathToFileURL(join(ROOT, 'dist', path)).href);
}

/** Prints a line for the operator; standard output is reserved for the command's own result. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

function lockDigest(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

const digestFile = (folder) => join(folder, 'node_modules/.lockfile-digest');

/** Whether the dependencies of the package in a folder are missing or older than its lock file. */
export function installIsDue(folder = ROOT) {
  const marker = join(folder, 'node_modules/.package-lock.json');
  const digest = digestFile(folder);
  return (
    needsInstall({
      installedLock: existsSync(digest) ? readFileSync(digest, 'utf8') : null,
      installedAt: existsSync(marker) ? statSync(marker).mtimeMs : null,
      lock: lockDigest(folder),
      lockAt: statSync(join(folder, 'package-lock.json')).mtimeMs,
    }) && !modulesAreLinked(folder)
  );
}

/** A linked node_modules belongs to another checkout, and npm would delete its contents. */
function modulesAreLinked(folder) {
  const modules = join(folder, 'node_modules');
  return existsSync(modules) && lstatSync(modules).isSymbolicLink();
}

/** Installs the dependencies of the package in a folder. Throws when npm fails. */
export async function install(folder = ROOT) {
  say(
    `Installing dependencies${folder === ROOT ? '' : ` of ${relative(ROOT, folder)}`} (npm ci, about a minute) ...`,
  );
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--loglevel=error', '--no-fund', '--no-audit'];
  const done = await (npm?.endsWith('.js')
    ? run(process.execPath, [npm, ...args], folder)
    : run('npm', args, folder));
  if (!done) throw new Error('The dependencies could not be installed; see the messages of npm above.');
  writeFileSync(digestFile(folder), lockDigest(folder));
}

function buildDue(kind) {
  const file = join(ROOT, 'dist', BUILDS[kind].record);
  let lastInputs = null;
  try {
    lastInputs = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing, or incomplete after a kill; the state of dist is then unknown.
  }
  return decideBuild(lastInputs, inputs(kind));
}

async function build(kind, clean) {
  const { args } = BUILDS[kind];
  const other = BUILDS[kind === 'build' ? 'test' : 'build'];
  const dist = join(ROOT, 'dist');
  say(clean ? 'Building ...' : 'Building what has changed ...');
  if (clean) rmSync(dist, { recursive: true, force: true });
  // The other build's records no longer describe `dist` after this build.
  for (const file of [other.info, other.record, BUILDS[kind].record])
    rmSync(join(dist, file), { force: true });
  const seen = { build: inputs('build'), test: inputs('test') };
  if (!(await run(process.execPath, [join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js'), ...args])))
    throw new Error('The build failed; see the messages of the compiler above.');
  for (const done of kind === 'test' ? ['build', 'test'] : ['build'])
    writeFileSync(join(dist, BUILDS[done].record), JSON.stringify(seen[done]));
}

/** Every file that a build reads, with its size and modification time. */
function inputs(kind) {
  const files = [
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.test.json',
    'nest-cli.json',
    'ormconfig.ts',
  ]
    .map((name) => join(ROOT, name))
    .concat(
      ...['src', 'scripts', ...(kind === 'test' ? ['test', 'clients/typescript/src', 'web/src'] : [])].map(
        (name) => filesBelow(join(ROOT, name)),
      ),
    )
    .filter((file) => kind === 'test' || !file.endsWith('.spec.ts'));
  return stampsOf(files);
}

/** Each file's path, with its modification time and size. */
export function stampsOf(files) {
  return Object.fromEntries(
    files.map((file) => {
      const { mtimeMs, size } = statSync(file);
      return [relative(ROOT, file), `${mtimeMs} ${size}`];
    }),
  );
}

/** Every file below a folder except `.mjs` and `.cjs`, which are never compiled. */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.[cm]js$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/**
 * Runs `work` under a lock file, which a running holder touches every 2 s. An older lock file was left by a killed
 * process.
 */
export async function alone(work) {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  let reported = false;
  while (!tryLock()) {
    if (performance.now() > deadline)
      throw new Error(`Another command has been installing or building for too long; see ${LOCK}`);
    if (!reported) say('Another command is installing or building; waiting for it ...');
    reported = true;
    await sleep(200);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(LOCK, now, now);
    } catch {
      // The file was deleted meanwhile; the work continues.
    }
  }, HEARTBEAT_MS);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(LOCK, { force: true });
  }
}

function tryLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const age = existsSync(LOCK) ? Date.now() - statSync(LOCK).mtimeMs : 0;
  if (age > STALE_AFTER_MS) rmSync(LOCK, { force: true });
  return false;
}

/** Runs a program with its output on standard error. Returns whether it exited with 0. */
export function run(command, args, cwd = ROOT) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2] });
    child.once('error', (error) => {
      say(`${command}: ${error.message}`);
      resolve(false);
    });
    child.once('exit', (code) => resolve(code === 0));
  });
}
