import { compiled, prepare } from './lib/prepare.mjs';

await prepare();
await compiled('src/cli/source.js');
