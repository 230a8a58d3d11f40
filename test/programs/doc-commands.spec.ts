import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../src/launcher/free-port.js';
import { blocks, executed, ROOT, type DocBlock } from '../support/doc-blocks.js';
import { startDocService, type DocService } from '../support/doc-service.js';
import { skipUnless } from '../support/skip-unless.js';

const COMMAND_TIMEOUT_MS = 150_000;

/** Blocks whose last command serves until Ctrl-C: their first words, with the output that shows that it serves. */
const SERVING: Record<string, RegExp> = {
  'npm run demo': /signature verified[^]*sign-in#[\w-]{43}[^]*The service listens on/,
  'export PLATFORM_CLIENT_ID': /The service listens on/,
  'npm start --silent -- --json': /"base_url":"http/,
  'npm run platform': /"platform_url":"http/,
  'curl -N': /heartbeat/,
};
/** The output of the other blocks when they have done their work. */
const PRINTED: Record<string, RegExp> = {
  'npm run db -- plan': /ALTER TABLE/,
  'npm run db -- row-security': /Row-level security is set up/,
  'npm run backup': /^Backup [^]*^Restored the backup /m,
  'npm run import': /^1 posts and 0 comments imported/m,
};
const MBOX = `From ann@example.org Mon Jan  1 10:00:00 2024
From: Ann <ann@example.org>
Date: Mon, 1 Jan 2024 10:00:00 +0000
Message-ID: <1@example.org>
Subject: Of an archive

Text.
`;
const startingAs = (lines: Record<string, RegExp>, { text }: DocBlock): RegExp | undefined =>
  Object.entries(lines).find(([words]) => text.startsWith(words))?.[1];
const isOfSeveralMachines = ({ text }: DocBlock): boolean => text.startsWith('ROLES=');
const isTraining = ({ page }: DocBlock): boolean => page === 'docs/model-card.md';
const serves = (block: DocBlock): boolean =>
  isOfSeveralMachines(block) || startingAs(SERVING, block) !== undefined;
const named = (blocks: DocBlock[]) => blocks.map((block) => [block.name, block] as const);
const commands = executed('sh');

let docs: DocService;

beforeAll(async () => {
  docs = await startDocService();
});

afterAll(() => docs?.end());

/** A folder in which the project's commands run as in a clone of it, with a `.data` folder of its own. */
async function clone(): Promise<string> {
  const path = await docs.newFolder('clone');
  for (const name of ['package.json', 'scripts', 'docs']) await symlink(join(ROOT, name), join(path, name));
  return path;
}

/**
 * The variables that the pages ask readers to set, and those that keep a command away from other services on this
 * machine.
 */
function variables(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { base_url, workspace_id, api_key, admin_token } = docs.service.line;
  return {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: docs.folder, PORT: '0' },
    BASE: `${base_url}/api/v1/workspaces/${workspace_id}`,
    KEY: api_key,
    API_KEY: api_key,
    ADMIN_TOKEN: admin_token,
    BASE_URL: base_url,
    WORKSPACE: docs.emptied,
    ...{
      WSS: join(ROOT, 'dist/clients/typescript/src/cli/main.js'),
      WSS_URL: base_url,
      WSS_API_KEY: api_key,
    },
    XDG_CONFIG_HOME: docs.folder,
    ...more,
  };
}

/** Runs a script in a folder to its end and expects it to succeed. */
function runScript(script: string, cwd: string, more: NodeJS.ProcessEnv = {}): string {
  const prelude = [
    'set -euo pipefail',
    'curl() { command curl --fail --silent --show-error "$@"; }',
    'wss() { node "$WSS" "$@"; }\n',
  ].join('\n');
  const { status, stdout, stderr } = spawnSync('bash', ['-c', prelude + script], {
    ...{ cwd, encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS, env: variables(more) },
  });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  return stdout;
}

/** Runs a script until it serves, sends Ctrl-C, and expects all its processes to exit. */
async function serve(
  script: string,
  isServing: (output: string) => boolean | Promise<boolean>,
  more: NodeJS.ProcessEnv = {},
): Promise<void> {
  const child = spawn('bash', ['-c', `set -euo pipefail\n${script}`], {
    ...{ cwd: await clone(), detached: true, env: variables(more), stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  // Its outputs are closed when the last process that holds them has exited.
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const deadline = performance.now() + COMMAND_TIMEOUT_MS;
  let serves = false;
  while (!serves && !ended() && performance.now() < deadline) {
    await sleep(100);
    serves = await isServing(output);
  }
  if (!ended()) process.kill(-child.pid!, 'SIGINT');
  await closed;
  expect({ serves, output: serves ? '' : output }).toEqual({ serves: true, output: '' });
}

describe('commands that end', () => {
  it.each(named(commands.filter((block) => !serves(block) && !isTraining(block))))(
    '%s',
    async (_name, block) => {
      const path = await clone();
      const dump = {
        id: 'dump1',
        subreddit: 'science',
        title: 'Of a dump',
        author: 'a',
        created_utc: 1_700_000_000,
      };
      const { stdout: packed } = spawnSync('zstd', ['-q', '-c'], { input: `${JSON.stringify(dump)}\n` });
      await writeFile(join(path, 'RS_2024-01.zst'), packed);
      await writeFile(join(path, 'list.mbox.gz'), gzipSync(MBOX));
      const script = docs
        .filledIn(block)
        .replaceAll(' /backups/', ` ${path}/backups/`)
        .replaceAll('/srv/scraping', `${path}/restored`)
        // This command needs the coordinator of a Citus cluster; test/integration/distribution.spec.ts executes its
        // statements.
        .replace(/^npm run db -- distribute.*$/m, '');
      const printed = runScript(script, path, { DATA_DIR: docs.dataDir });
      const line = startingAs(PRINTED, block);
      if (line) expect(printed).toMatch(line);
    },
  );
});

describe('commands that serve until Ctrl-C', () => {
  /** Variables with which a service uses the platform that is already running. */
  const platform = (): NodeJS.ProcessEnv => ({
    PLATFORM_BASE_URL: docs.service.line.platform_url,
    PLATFORM_AUTH_URL: docs.service.line.platform_url,
  });

  it.each(Object.entries(SERVING))('%s', async (words, line) => {
    const block = commands.find(({ text }) => text.startsWith(words))!;
    const more = words.includes('PLATFORM_CLIENT_ID') ? platform() : {};
    await serve(docs.filledIn(block), (output) => line.test(output), more);
  });

  it('docs/cluster.md: one process of each role on the same servers', async () => {
    const block = commands.find(isOfSeveralMachines)!;
    const key = await readFile(join(docs.dataDir, 'encryption.key'), 'utf8');
    const startMachine = async (script: string): Promise<void> => {
      const PORT = String(await freePort());
      const isReady = () =>
        fetch(`http://127.0.0.1:${PORT}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await serve(script, isReady, { ...platform(), ENCRYPTION_KEY: key.trim(), PORT });
    };
    const ends = await Promise.allSettled(docs.filledIn(block).trim().split('\n').map(startMachine));
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});

describe('Python', () => {
  const has = (...modules: string[]): boolean =>
    spawnSync('python3', ['-c', `import ${modules.join(', ')}`]).status === 0;

  /** Modules that replace a package for the blocks of docs/exports.md on machines without it. */
  const STAND_INS: Record<string, string> = {
    requests: 'from pip._vendor.requests import *',
    duckdb: [
      'import os, subprocess',
      'class sql:',
      '    def __init__(self, text): subprocess.run([os.environ["NODE"], "query.mjs", text], check=True)',
      '    def df(self): return self',
    ].join('\n'),
    pandas: 'import duckdb\ndef read_parquet(folder): return duckdb.sql(f"FROM \'{folder}/*.parquet\'")',
  };
  const QUERY = `import { DuckDBInstance } from '@duckdb/node-api';
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const found = await connection.runAndReadAll(process.argv[2]);
    console.log(found.currentRowCount + ' rows');`;

  skipUnless(has('requests') || has('pip._vendor.requests'), 'Python has neither requests nor pip').it(
    'docs/exports.md: the blocks are one program, with DuckDB of Python or Node.js',
    async () => {
      const path = await docs.newFolder('exports');
      const missing = [
        ...(has('requests') ? [] : ['requests']),
        ...(has('duckdb', 'pandas', 'pyarrow') ? [] : ['duckdb', 'pandas']),
      ];
      for (const name of missing) await writeFile(join(path, `${name}.py`), STAND_INS[name]!);
      await writeFile(join(path, 'query.mjs'), QUERY);
      await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
      const program = executed('python', 'docs/exports.md').map(docs.filledIn).join('\n');
      await writeFile(join(path, 'exports.py'), program);
      runScript('python3 exports.py', path, { NODE: process.execPath });
      expect(await readdir(join(path, 'posts'))).toHaveLength(2);
    },
  );

  skipUnless(has('standardwebhooks'), 'Python has no standardwebhooks').it(
    'clients/python/README.md: verifies a delivery',
    async () => {
      const path = await docs.newFolder('webhook');
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
      const body = '{"type":"job.completed"}';
      const sentAt = new Date();
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', sentAt, body),
      };
      const [block] = executed('python', 'clients/python/README.md');
      const program = [
        `body, headers = '${body}', ${JSON.stringify(headers)}`,
        block!.text.replace('whsec_...', secret),
        'assert event["type"] == "job.completed"',
      ];
      await writeFile(join(path, 'webhook.py'), program.join('\n'));
      runScript('python3 webhook.py', path);
    },
  );

  it('has a program for every block', () => {
    const pagesWithPython = blocks.filter(({ language }) => language === 'python').map(({ page }) => page);
    const known = ['clients/python/README.md', 'docs/exports.md', 'docs/testing.md'];
    expect([...new Set(pagesWithPython)].sort()).toEqual(known);
  });
});
