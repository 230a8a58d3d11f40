import { compiled, prepare } from './lib/prepare.mjs';

await prepare();
const { main } = await compiled('src/infrastructure/embedded/launcher.js');
await main();
