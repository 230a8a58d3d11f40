import { prepareDashboard } from './lib/dashboard.mjs';
import { compiled, prepare } from './lib/prepare.mjs';

await prepare();
// A program that starts the service for itself (`--json`) does not need the dashboard and should not wait for it.
const servesPages = (process.env.ROLES ?? 'api').includes('api') && !process.argv.includes('--json');
if (servesPages) await prepareDashboard();
const { main } = await compiled('src/launcher/launcher.js');
await main();
