import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { prepareDashboard } from './lib/dashboard.mjs';
import { prepare, ROOT, run, say } from './lib/prepare.mjs';

/**
 * `npm run release [-- FOLDER]`: writes everything that a release publishes into a folder, by default `release`: the npm
 * packages of the service, of its client and of its n8n nodes, the Python client, the chart, the bills of materials, and their checksums,
 * signed with the SSH key that RELEASE_KEY names. The same commit gives the same files. Replaces an earlier release in that
 * folder, and refuses a folder with other content.
 */
const folder = resolve(process.argv[2] ?? join(ROOT, 'release'));
if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'SHA256SUMS'))) {
  say(`${folder} has content that is no release. Name an empty or a new folder.`);
  process.exit(1);
}
const scratch = mkdtempSync(join(tmpdir(), 'release-'));
const { version } = readJson('package.json');
const time = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();

function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

function must(done, what) {
  if (!done) throw new Error(`${what} failed; see the messages above.`);
}

/** The compiled service with its dashboard and command line, without sources, tests and packages of development. */
function stageService() {
  const stage = join(scratch, 'service');
  const isShipped = (path) =>
    !/\.(spec\.js|map|tsbuildinfo)$|[\\/]\.(compile-cache|cluster-templates)/.test(path);
  for (const part of [
    ...['dist/src', 'web/dist', 'clients/typescript/package.json', 'clients/typescript/dist'],
    ...['scripts/run.cjs', 'scripts/start.mjs', 'scripts/platform.mjs', 'scripts/command.mjs', 'scripts/lib'],
    ...['README.md', 'LICENSE', 'docs/openapi.json', 'docs/asyncapi.json'],
  ])
    cpSync(join(ROOT, part), join(stage, part), { recursive: true, filter: isShipped });
  cpSync(join(ROOT, 'scripts/release/bin.cjs'), join(stage, 'bin.cjs'));
  const { devDependencies, ...manifest } = readJson('package.json');
  for (const field of ['private', 'scripts']) delete manifest[field];
  // The command line needs one package that is otherwise one of development.
  manifest.dependencies['openapi-fetch'] = devDependencies['openapi-fetch'];
  writeFileSync(
    join(stage, 'package.json'),
    JSON.stringify(
      {
        ...manifest,
        bin: { [manifest.name]: 'bin.cjs', wss: 'clients/typescript/dist/esm/cli/main.js' },
        publishConfig: { access: 'public', provenance: true },
      },
      null,
      2,
    ),
  );
  const lock = readJson('package-lock.json');
  const root = lock.packages[''];
  delete root.devDependencies;
  const kept = Object.entries(lock.packages).filter(
    ([path, { dev }]) => !dev || /\/openapi-(fetch|typescript-helpers)$/.test(path),
  );
  lock.packages = { ...Object.fromEntries(kept), '': { ...root, dependencies: manifest.dependencies } };
  // Addresses of a registry belong to the machine that made the lock file.
  for (const entry of Object.values(lock.packages)) {
    delete entry.resolved;
    delete entry.dev;
  }
  writeFileSync(join(stage, 'npm-shrinkwrap.json'), JSON.stringify(lock));
  return stage;
}

const packed = (stage) =>
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: stage });

/** The wheel of the Python client, which needs the package `build`. */
function buildPython() {
  const stage = join(scratch, 'python');
  cpSync(join(ROOT, 'clients/python'), stage, {
    recursive: true,
    filter: (path) => !/__pycache__|[\\/]build$/.test(path),
  });
  const { status } = spawnSync(
    '/usr/bin/python3',
    ['-m', 'build', '--wheel', '--no-isolation', '--outdir', folder, stage],
    {
      env: { ...process.env, SOURCE_DATE_EPOCH: time },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) say('Skipped: the Python client (install python3-build and python3-wheel to build it).');
}

function packChart() {
  const sorted = [
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go-w',
  ];
  const archive = execFileSync('tar', [
    ...sorted,
    '-C',
    join(ROOT, 'docker'),
    '--transform=s,^helm,workspace-scraping-service,',
    '-cf',
    '-',
    'helm',
  ]);
  writeFileSync(
    join(folder, `workspace-scraping-service-chart-${version}.tgz`),
    execFileSync('gzip', ['-n', '-9'], { input: archive }),
  );
}

function sign() {
  const sums = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  const key = process.env.RELEASE_KEY;
  if (!key) return say('Not signed: set RELEASE_KEY to the file of an SSH key.');
  must(
    spawnSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', 'release', '-f', key, join(folder, 'SHA256SUMS')], {
      stdio: 'inherit',
    }).status === 0,
    'ssh-keygen',
  );
}

try {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await prepare();
  must(await prepareDashboard(), 'The dashboard');
  must(await run(process.execPath, [join(ROOT, 'clients/typescript/build.mjs')]), 'The client');
  packed(stageService());
  packed(join(ROOT, 'clients/typescript'));
  packed(join(ROOT, 'clients/n8n'));
  buildPython();
  packChart();
  must(
    await run(process.execPath, [join(ROOT, 'scripts/sbom.mjs'), join(folder, 'sbom')]),
    'The bill of materials',
  );
  sign();
  say(`Written to ${folder}. docs/releasing.md says how to check and publish it.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
