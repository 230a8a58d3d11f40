import { prepare } from './lib/prepare.mjs';

await prepare('test');
// In this process, so that killing the command ends the run.
const { run } = await import('jest');
await run(process.argv.slice(2));
