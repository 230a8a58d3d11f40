import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const BREAK_OFF = `process.kill(process.pid, 'SIGSEGV'); for (;;);`;
const SPECS = {
  sound: '',
  once: `const { existsSync, writeFileSync } = require('node:fs');
    if (!existsSync('seen')) { writeFileSync('seen', ''); ${BREAK_OFF} }`,
  always: BREAK_OFF,
  wrong: `throw new Error('wrong');`,
};

it('runs a file once more when Node.js breaks off during it, and says so', async () => {
  const folder = await temporaryFolder();
  for (const [name, body] of Object.entries(SPECS))
    writeFileSync(join(folder, `${name}.spec.cjs`), `test('one', () => { ${body} });`);
  const config = { rootDir: folder, testMatch: ['**/*.spec.cjs'], runner: join(ROOT, 'test/runner.cjs') };
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const options = ['--maxWorkers=2', '--workerIdleMemoryLimit=1GB', `--config=${JSON.stringify(config)}`];
  const run = spawnSync(process.execPath, [jest, ...options], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 100_000,
  });
  expect(run.stderr.match(/(?<=Once more, because .*\/)\w+(?=\.spec)/g)?.sort()).toEqual(['always', 'once']);
  expect(run.stderr).toMatch(/Test Suites: 2 failed, 2 passed, 4 total/);
  expect(run.status).toBe(1);
});
