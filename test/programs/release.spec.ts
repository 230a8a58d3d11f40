import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/doc-blocks.js';

const { version, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
};
/** Names of the commands of the service's command line. */
const COMMANDS = Object.values(scripts)
  .flatMap((script) => /run\.cjs command ([a-z-]+)$/.exec(script)?.[1] ?? [])
  .sort();
const SERVICE = `workspace-scraping-service-${version}.tgz`;

describe('npm run release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const npm = (...args: string[]): string =>
    execFileSync('npm', ['run', '-s', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  beforeAll(() => {
    npm('release', join(folder, 'files'));
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const sums = () =>
    readFileSync(join(folder, 'files/SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  ') as [string, string]);

  it('writes packages, chart and bills of materials with their checksums', () => {
    const files = sums().map(([, file]) => file.replace(version, 'VERSION'));
    expect(files).toEqual(
      expect.arrayContaining([
        'n8n-nodes-workspace-scraping-service-VERSION.tgz',
        'sbom/dashboard.cdx.json',
        'sbom/service.cdx.json',
        'workspace-scraping-service-VERSION.tgz',
        'workspace-scraping-service-chart-VERSION.tgz',
        'workspace-scraping-service-client-VERSION.tgz',
      ]),
    );
    for (const [sum, file] of sums())
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, 'files', file)))
          .digest('hex'),
      ).toBe(sum);
  });

  it('packs the service without tests, sources and addresses of a registry', () => {
    const listed = execFileSync('tar', ['-tzf', join(folder, 'files', SERVICE)], { encoding: 'utf8' }).split(
      '\n',
    );
    expect(
      listed.filter((file) => /\.spec\.|\.tsx?$|\/test\//.test(file) && !file.endsWith('.d.ts')),
    ).toEqual([]);
    const lock = execFileSync('tar', [
      '-xzOf',
      join(folder, 'files', SERVICE),
      'package/npm-shrinkwrap.json',
    ]);
    expect(lock.includes('"resolved"')).toBe(false);
  });

  it('packs a service that starts with its dashboard, and names its commands', async () => {
    execFileSync('tar', ['-xzf', join(folder, 'files', SERVICE), '-C', folder]);
    const program = join(folder, 'package');
    symlinkSync(join(ROOT, 'node_modules'), join(program, 'node_modules'));
    const started = spawn(process.execPath, [join(program, 'bin.cjs'), '--json', '--ephemeral'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const line = await new Promise<string>((resolve, reject) => {
        started.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
        started.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      });
      const { base_url: url } = JSON.parse(line) as { base_url: string };
      expect(await (await fetch(url)).text()).toContain('<div id="root">');
    } finally {
      const ended = new Promise((resolve) => started.once('exit', resolve));
      started.kill('SIGINT');
      await ended;
    }
    expect(() =>
      execFileSync(process.execPath, [join(program, 'bin.cjs'), 'nothing'], { stdio: 'pipe' }),
    ).toThrow(`No command nothing. There are: start, platform, ${COMMANDS.join(', ')}.`);
  });

  it('refuses a folder with content that is no release', () => {
    const kept = join(folder, 'kept');
    mkdirSync(kept);
    writeFileSync(join(kept, 'notes.txt'), 'mine');
    expect(() => npm('release', kept)).toThrow('has content that is no release');
    expect(readFileSync(join(kept, 'notes.txt'), 'utf8')).toBe('mine');
  });
});
