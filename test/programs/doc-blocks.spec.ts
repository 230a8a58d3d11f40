import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { blocks, blocksOf, NOT_EXECUTED, ROOT, type DocBlock } from '../support/doc-blocks.js';
import { startFromCommand, type StartedService } from '../support/started-service.js';

const run = promisify(execFile);
const TIMEOUT_MS = 180_000;

const executed = (language: string, page?: string) =>
  blocks.filter(
    (block) =>
      block.language === language &&
      !(block.text.split('\n')[0]! in NOT_EXECUTED) &&
      (page === undefined ? !block.page.startsWith('clients/') : block.page === page),
  );

/** Scripts of the project, which are not compiled. */
const script = (name: string): string => pathToFileURL(join(ROOT, 'scripts/lib', name)).href;
const { findPackage } = (await import(script('package-cache.mjs'))) as {
  findPackage: (name: string) => string | null;
};
const { findChromium } = (await import(script('chromium.mjs'))) as { findChromium: () => string | undefined };
const vitest = findPackage('vitest@4.1.12');
const playwright = findPackage('@playwright/test@1.65.1');
const chromium = findChromium();

let folder: string;
let service: StartedService;
let jobId: string;
/** A workspace that a block may empty. */
let emptied: string;

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(
    `${service.line.base_url}/api/v1/workspaces/${service.line.workspace_id}${path}`,
    {
      method,
      headers: { 'X-API-Key': service.line.api_key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** The block with the addresses, ids and keys of the running service in place of the page's. */
function filledIn({ text }: DocBlock): string {
  const { base_url, platform_url, workspace_id, api_key, admin_token } = service.line;
  return text
    .replaceAll('http://127.0.0.1:3000', base_url)
    .replaceAll('http://127.0.0.1:4010', platform_url)
    .replaceAll('WORKSPACE_ID', workspace_id)
    .replaceAll('JOB_ID', jobId)
    .replaceAll('rp_...', api_key)
    .replaceAll('ADMIN_TOKEN_VALUE', admin_token);
}

/** A project with the built client, as its users have it. */
async function project(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, 'node_modules/@workspace-scraping-service'), { recursive: true });
  await writeFile(join(path, 'package.json'), '{ "private": true, "type": "module" }');
  await symlink(
    join(ROOT, 'clients/typescript'),
    join(path, 'node_modules/@workspace-scraping-service/client'),
  );
  for (const dependency of ['standardwebhooks', 'express'])
    await symlink(join(ROOT, 'node_modules', dependency), join(path, 'node_modules', dependency));
  return path;
}

/** A project with the examples for test runners. */
async function exampleProject(name: string): Promise<string> {
  const path = await project(name);
  for (const block of executed('js', 'docs/testing.md')) await writeFile(join(path, block.file), block.text);
  return path;
}

async function node(
  args: readonly string[],
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await run(process.execPath, args, {
    cwd,
    timeout: TIMEOUT_MS,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder, SERVICE: ROOT, ...variables },
  });
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doc-blocks-'));
  await chmod(folder, 0o711);
  const building = node([join(ROOT, 'clients/typescript/build.mjs')], ROOT);
  service = await startFromCommand(['--json', '--ephemeral'], { TMPDIR: folder });
  let job = await call('POST', '/jobs', { target: 'technology', limit: 20 });
  while (job.status === 'pending' || job.status === 'running')
    job = await call('GET', `/jobs/${String(job.id)}`);
  jobId = String(job.id);
  const created = await fetch(`${service.line.base_url}/api/v1/admin/workspaces`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.line.admin_token}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'Emptied by a block' }),
  });
  emptied = ((await created.json()) as { workspace_id: string }).workspace_id;
  await building;
}, TIMEOUT_MS);

afterAll(async () => {
  await service?.end();
  await rm(folder, { recursive: true, force: true });
}, TIMEOUT_MS);

describe('shell', () => {
  it.each(executed('sh').map((block) => [block.name, block] as const))(
    '%s',
    async (_name, block) => {
      const work = await mkdtemp(join(folder, 'shell-'));
      const script = [
        'set -euo pipefail',
        'curl() { command curl --fail --silent --show-error "$@"; }',
        filledIn(block),
      ].join('\n');
      const base = `${service.line.base_url}/api/v1/workspaces/${service.line.workspace_id}`;
      const key = service.line.api_key;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
        cwd: work,
        encoding: 'utf8',
        timeout: 60_000,
        env: {
          PATH: process.env.PATH,
          BASE: base,
          KEY: key,
          API_KEY: key,
          ADMIN_TOKEN: service.line.admin_token,
          BASE_URL: service.line.base_url,
          WORKSPACE: emptied,
        },
      });
      expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
    },
    TIMEOUT_MS,
  );
});

describe('JSON', () => {
  it.each(executed('json').map((block) => [block.name, block.text] as const))('%s', (_name, text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it('shows the fields that npm start -- --json prints', () => {
    const [shown] = blocksOf('docs/testing.md').filter(({ language }) => language === 'json');
    expect(Object.keys(JSON.parse(shown!.text) as object)).toEqual(Object.keys(service.line));
  });
});

describe('JavaScript', () => {
  it(
    'docs/testing.md: harness.mjs runs twice at once',
    async () => {
      const path = await exampleProject('harness');
      await Promise.all([1, 2].map(() => node(['harness.mjs'], path)));
    },
    TIMEOUT_MS,
  );

  it(
    'docs/testing.md: the example for Jest passes',
    async () => {
      const path = await exampleProject('jest');
      await writeFile(
        join(path, 'jest.config.mjs'),
        "export default { testMatch: ['**/*.test.mjs'], transform: {}, watchman: false };",
      );
      const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
      await node(['--experimental-vm-modules', jest, '--rootDir', path, '--ci'], path);
    },
    TIMEOUT_MS,
  );

  (vitest === null ? it.skip : it)(
    'docs/testing.md: the example for Vitest passes (skipped where npm cannot install it)',
    async () => {
      const path = await exampleProject('vitest');
      const [line] = /import \{.*\} from 'vitest';/.exec(
        readFileSync(join(ROOT, 'docs/testing.md'), 'utf8'),
      )!;
      const file = join(path, 'scrape.test.mjs');
      await writeFile(file, `${line}\n${readFileSync(file, 'utf8')}`);
      await symlink(join(vitest!, 'node_modules/vitest'), join(path, 'node_modules/vitest'));
      await node(
        [join(vitest!, 'node_modules/vitest/vitest.mjs'), 'run', 'scrape.test.mjs', '--root', path],
        path,
      );
    },
    TIMEOUT_MS,
  );

  (playwright === null || chromium === undefined ? it.skip : it)(
    'docs/testing.md: the example for Playwright passes (skipped without Chromium, or where npm cannot install it)',
    async () => {
      const path = await exampleProject('playwright');
      const installed = join(playwright!, 'node_modules/@playwright');
      await symlink(installed, join(path, 'node_modules/@playwright'));
      const launch = { executablePath: chromium, args: ['--no-sandbox'] };
      await writeFile(
        join(path, 'playwright.config.mjs'),
        `export default ${JSON.stringify({ testMatch: 'docs.spec.mjs', use: { launchOptions: launch } })};`,
      );
      await node([join(installed, 'test/cli.js'), 'test'], path);
    },
    TIMEOUT_MS,
  );

  it('docs/scraping.md: the plugin filters and annotates', async () => {
    const [block] = executed('js', 'docs/scraping.md');
    const file = join(folder, 'plugin.mjs');
    await writeFile(file, block!.text);
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      `import plugin from ${JSON.stringify(pathToFileURL(file).href)};
       const item = (selftext) => ({ record: { selftext }, annotations: {} });
       console.log(JSON.stringify([plugin.name, plugin.onPosts([item(''), item('abc')]).map((one) => one.annotations)]));`,
    ]);
    expect(JSON.parse(stdout)).toEqual(['short_posts', [{ length: 3 }]]);
  });

  it('docs/webhooks.md: the receiver starts', async () => {
    const [block] = executed('js', 'docs/webhooks.md');
    const path = await project('receiver');
    await writeFile(
      join(path, 'receiver.mjs'),
      `import express from 'express';\nconst app = express();\n${block!.text}\nconsole.log('started');`,
    );
    expect(await node(['receiver.mjs'], path)).toBe('started\n');
  });

  it('executes every block', () => {
    const pagesWithCode = new Set(executed('js').map(({ page }) => page));
    expect([...pagesWithCode].sort()).toEqual(['docs/scraping.md', 'docs/testing.md', 'docs/webhooks.md']);
  });
});

describe('Python', () => {
  const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
  (hasPytest ? it : it.skip).each(executed('python').map((block) => [block.name, block] as const))(
    '%s (skipped where there is no pytest)',
    async (_name, block) => {
      const work = await mkdtemp(join(folder, 'python-'));
      await writeFile(join(work, block.file), block.text);
      await run('python3', ['-m', 'pytest', '-q', block.file], {
        cwd: work,
        timeout: TIMEOUT_MS,
        env: { ...process.env, TMPDIR: folder, SERVICE: ROOT },
      });
    },
    TIMEOUT_MS,
  );
});

describe('clients/typescript/README.md', () => {
  it(
    'is one program that type-checks and runs against the service',
    async () => {
      const path = await project('client');
      const parts = executed('ts', 'clients/typescript/README.md').map(({ text }) => text);
      const imports = new Set(parts.flatMap((text) => text.match(/^import .*;$/gm) ?? []));
      const bodies = parts.map((text) => text.replace(/^import .*;$/gm, ''));
      const delivered = `
        await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
        const address = receiver.address() as { port: number };
        await dataOf(client.api.POST('/api/v1/workspaces/{workspace_id}/webhooks', {
          params: { path: client.path },
          body: { url: 'http://127.0.0.1:' + address.port + '/', events: ['job.completed'], secret: process.env.WEBHOOK_SECRET! },
        }));
        const answered = new Promise<number>((resolve) =>
          receiver.on('request', (_, response) => response.on('finish', () => resolve(response.statusCode))));
        await client.startJob({ target: 'programming', limit: 3 });
        if ((await answered) !== 204) throw new Error('The delivery was not verified');
        receiver.close();`;
      await writeFile(
        join(path, 'readme.ts'),
        [...imports, ...bodies, delivered, 'process.exit();'].join('\n'),
      );
      await symlink(join(ROOT, 'node_modules/@types'), join(path, 'node_modules/@types'));
      await writeFile(
        join(path, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            ...{ target: 'es2023', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'] },
            outDir: 'built',
          },
          files: ['readme.ts'],
        }),
      );
      await node([join(ROOT, 'node_modules/typescript7/bin/tsc'), '-p', path], path);
      const { base_url, api_key, workspace_id } = service.line;
      const printed = await node(['built/readme.js'], path, {
        BASE_URL: base_url,
        API_KEY: api_key,
        WORKSPACE_ID: workspace_id,
        WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      });
      for (const words of ['100 posts', 'completed 100', 'bytes', 'alert_', 'no such job'])
        expect(printed).toContain(words);
      expect(await readdir(path)).toContain('posts.csv');
    },
    TIMEOUT_MS,
  );
});
