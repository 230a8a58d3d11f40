import { compiled, prepare } from './lib/prepare.mjs';

await prepare();
const { main } = await compiled('src/launcher/launcher.js');
await main();
