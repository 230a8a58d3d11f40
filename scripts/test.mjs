import { prepare } from './lib/prepare.mjs';

await prepare('test');
// In this process, so that killing the command ends the run.
const { run } = await import('jest');
// Tests run compiled: a file is given by the name of its source.
await run(process.argv.slice(2).map((argument) => argument.replace(/\.ts$/, '.js')));
