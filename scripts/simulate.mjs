import { compiled, prepare } from './lib/prepare.mjs';

await prepare('test');
await compiled('test/simulation/run.js');
