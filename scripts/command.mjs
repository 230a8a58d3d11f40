import { compiled, prepare } from './lib/prepare.mjs';

// `npm run backup`, `npm run doctor` and others: runs the command of this name in `src/cli`.
const [name] = process.argv.splice(2, 1);
await prepare();
await compiled(`src/cli/${name}.js`);
