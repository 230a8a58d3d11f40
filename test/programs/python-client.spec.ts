import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executed, ROOT } from '../support/doc-blocks.js';
import { skipUnless } from '../support/skip-unless.js';
import { startFromCommand, type StartedService } from '../support/started-service.js';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;
const CLIENT = join(ROOT, 'clients/python');
const NOTEBOOK = join(ROOT, 'docs/notebooks/sentiment-by-day.ipynb');

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

  withModules('pandas').it('the notebook goes from a key to sentiment by day', async () => {
    const { base_url, api_key } = service.line;
    const { cells } = JSON.parse(readFileSync(NOTEBOOK, 'utf8')) as {
      cells: { cell_type: string; source: string[] }[];
    };
    const code = cells
      .filter(({ cell_type }) => cell_type === 'code')
      .map(({ source }) => source.join(''))
      .filter((cell) => has('matplotlib') || !cell.includes('matplotlib'));
    expect(code.join('\n').split('\n').length).toBeLessThanOrEqual(20);
    const { stdout } = await python(['-c', `${code.join('\n')}\nprint((daily["count"] > 0).sum())`], {
      WSS_URL: base_url,
      WSS_API_KEY: api_key,
    });
    expect(Number(stdout.trim().split('\n').at(-1))).toBeGreaterThanOrEqual(8);
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
