import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executed, ROOT } from '../support/doc-blocks.js';
import { skipUnless } from '../support/skip-unless.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startFromCommand, type StartedService } from '../support/started-service.js';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;
const CLIENT = join(ROOT, 'clients/python');
const NOTEBOOK = join(ROOT, 'docs/notebooks/busy-days.ipynb');

/** The system's Python has Debian's packages. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (path) => spawnSync(path, ['-c', 'import httpx, sys; sys.exit(sys.version_info < (3, 11))']).status === 0,
);
const has = (module: string): boolean =>
  PYTHON !== undefined && spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;
const withPython = skipUnless(PYTHON !== undefined, 'there is no Python 3.11 with httpx');
const withModules = (...modules: string[]) =>
  skipUnless(modules.every(has), `Python lacks one of ${modules.join(', ')}`);

async function python(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<{ stdout: string; stderr: string }> {
  return await run(PYTHON!, args, {
    cwd: CLIENT,
    timeout: TIMEOUT_MS,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(CLIENT, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      MPLBACKEND: 'agg',
      ...variables,
    },
  });
}

/** What the cells of a notebook printed. */
function printedBy(file: string): string {
  const { cells } = JSON.parse(readFileSync(file, 'utf8')) as {
    cells: { outputs?: { text?: string[] }[] }[];
  };
  return cells.flatMap(({ outputs = [] }) => outputs.flatMap(({ text = [] }) => text)).join('');
}

withPython.describe('the Python client', () => {
  let service: StartedService;

  beforeAll(async () => {
    service = await startFromCommand(['--json', '--ephemeral']);
  });

  afterAll(() => service?.end());

  it('keeps its rules', async () => {
    expect((await python(['-m', 'unittest', 'tests/test_pure.py'])).stderr).toMatch(/\nOK\n$/);
  });

  it('works with a running service', async () => {
    const { base_url, api_key } = service.line;
    const { stderr } = await python(['-m', 'unittest', 'tests/test_service.py'], {
      BASE_URL: base_url,
      API_KEY: api_key,
    });
    expect(stderr).toMatch(/\nOK( \(skipped=\d\))?\n$/);
  });

  it('runs the first example of its page', async () => {
    const { base_url, api_key } = service.line;
    const [example] = executed('python', 'clients/python/README.md');
    const text = example!.text.replace('http://127.0.0.1:3000', base_url).replace('rp_...', api_key);
    expect((await python(['-c', text])).stdout).toMatch(/^50\n/);
  });

  withModules('pandas').it('the notebook prints what is committed with it', async () => {
    const { base_url, api_key } = service.line;
    const copy = join(await temporaryFolder(), 'notebook.ipynb');
    cpSync(NOTEBOOK, copy);
    await python(['tests/execute_notebook.py', copy], { WSS_URL: base_url, WSS_API_KEY: api_key });
    const [printed, committed] = [printedBy(copy), printedBy(NOTEBOOK)];
    expect(printed).toEqual(committed);
    expect(printed).toContain('5 of 600 posts have 33% of 6,556 comments');
  });

  withModules('build', 'wheel').it('builds as a wheel and a source archive with its licence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
    try {
      // In a copy, because building writes into the source folder.
      cpSync(CLIENT, join(folder, 'source'), { recursive: true });
      const built = await python([
        '-m',
        'build',
        '--no-isolation',
        '--outdir',
        folder,
        join(folder, 'source'),
      ]);
      expect(built.stdout).toContain('workspace_scraping_service-1.0.0-py3-none-any.whl');
      const { stdout: listed } = await python([
        '-m',
        'zipfile',
        '-l',
        join(folder, 'workspace_scraping_service-1.0.0-py3-none-any.whl'),
      ]);
      expect(listed).toContain('py.typed');
      expect(listed).toMatch(/licen[sc]e/i);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
