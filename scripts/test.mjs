import { prepare } from './lib/prepare.mjs';

await prepare('test');
// In this very process, so that a kill of the command is a kill of the run.
const { run } = await import('jest');
await run(process.argv.slice(2));
