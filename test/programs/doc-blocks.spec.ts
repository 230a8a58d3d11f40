import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { blocksOf, executed, ROOT } from '../support/doc-blocks.js';
import { startDocService, type DocService } from '../support/doc-service.js';
import { skipUnless } from '../support/skip-unless.js';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;

/** Scripts of the project, which are not compiled. */
const script = (path: string): string => pathToFileURL(join(ROOT, path)).href;
const { findPackage } = (await import(script('test/package-cache.mjs'))) as {
  findPackage: (name: string) => string | null;
};
const { findChromium } = (await import(script('scripts/lib/chromium.mjs'))) as {
  findChromium: () => string | undefined;
};
const vitest = findPackage('vitest@4.1.12');
const playwright = findPackage('@playwright/test@1.65.1');
const chromium = findChromium();

let docs: DocService;
let folder: string;
let service: DocService['service'];

/** A project with the built client, like a user's. */
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
  const building = run(process.execPath, [join(ROOT, 'clients/typescript/build.mjs')]);
  docs = await startDocService();
  ({ folder, service } = docs);
  await building;
});

afterAll(() => docs?.end());

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
  it('docs/testing.md: harness.mjs runs twice at once', async () => {
    const path = await exampleProject('harness');
    await Promise.all([1, 2].map(() => node(['harness.mjs'], path)));
  });

  it('docs/testing.md: the example for Jest passes', async () => {
    const path = await exampleProject('jest');
    await writeFile(
      join(path, 'jest.config.mjs'),
      "export default { testMatch: ['**/*.test.mjs'], transform: {}, watchman: false };",
    );
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    await node(['--experimental-vm-modules', jest, '--rootDir', path, '--ci'], path);
  });

  skipUnless(vitest !== null, 'npm cannot install Vitest').it(
    'docs/testing.md: the example for Vitest passes',
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
  );

  skipUnless(
    playwright !== null && chromium !== undefined,
    playwright === null ? 'npm cannot install Playwright' : 'there is no Chromium',
  ).it('docs/testing.md: the example for Playwright passes', async () => {
    const path = await exampleProject('playwright');
    const installed = join(playwright!, 'node_modules/@playwright');
    await symlink(installed, join(path, 'node_modules/@playwright'));
    const launch = { executablePath: chromium, args: ['--no-sandbox'] };
    await writeFile(
      join(path, 'playwright.config.mjs'),
      `export default ${JSON.stringify({ testMatch: 'docs.spec.mjs', use: { launchOptions: launch } })};`,
    );
    await node([join(installed, 'test/cli.js'), 'test'], path);
  });

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
  skipUnless(hasPytest, 'Python has no pytest').it.each(
    executed('python', 'docs/testing.md').map((block) => [block.name, block] as const),
  )('%s', async (_name, block) => {
    const work = await mkdtemp(join(folder, 'python-'));
    await writeFile(join(work, block.file), block.text);
    await run('python3', ['-m', 'pytest', '-q', block.file], {
      cwd: work,
      timeout: TIMEOUT_MS,
      env: { ...process.env, TMPDIR: folder, SERVICE: ROOT },
    });
  });
});

describe('clients/typescript/README.md', () => {
  it('is one program that type-checks and runs against the service', async () => {
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
  });
});
