import { compiled, prepare } from './lib/prepare.mjs';

await prepare();
// Texts from standard input need no options.
await compiled(process.argv.length > 2 ? 'src/cli/analyze-workspace.js' : 'src/cli/analyze.js');
