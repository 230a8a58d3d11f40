import { prepareDashboard } from './lib/dashboard.mjs';
import { compiled, prepare } from './lib/prepare.mjs';

await prepare();
await prepareDashboard();
await compiled('src/cli/demo.js');
