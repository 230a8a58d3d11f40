import { spawnSync } from 'node:child_process';
import { installByApt } from './lib/apt.mjs';
import { runJest } from './lib/jest.mjs';
import { prepare, say } from './lib/prepare.mjs';

await prepare('test');
const { hasZstdCommand } = await import('../dist/src/infrastructure/zstd-command.js');
if (!hasZstdCommand()) installByApt('zstd');
if (!hasZstdCommand())
  say('zstd could not be installed: tests of dumps and exports fail until you install it yourself.');
if (process.argv.includes('jest.programs.config.mjs')) {
  if (spawnSync('psql', ['--version']).error !== undefined) installByApt('postgresql-client');
  for (const [module, name] of [
    ['httpx', 'python3-httpx'],
    ['pandas', 'python3-pandas'],
    ['build', 'python3-build'],
    ['wheel', 'python3-wheel'],
  ])
    if (spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status !== 0) installByApt(name);
}
await runJest(process.argv.slice(2));
