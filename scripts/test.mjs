import { installByApt } from './lib/apt.mjs';
import { prepare, say } from './lib/prepare.mjs';

await prepare('test');
const { hasZstdCommand } = await import('../dist/src/infrastructure/zstd-command.js');
if (!hasZstdCommand()) installByApt('zstd');
if (!hasZstdCommand())
  say('zstd could not be installed: tests of dumps and exports fail until you install it yourself.');
// Run in this process, so that killing the command ends the test run.
const { run } = await import('jest');
// Tests run compiled, but are selected by the names of their sources.
await run(process.argv.slice(2).map((argument) => argument.replace(/\.ts$/, '.js')));
