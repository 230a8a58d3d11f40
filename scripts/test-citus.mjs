import { runJest } from './lib/jest.mjs';
import { prepare, say } from './lib/prepare.mjs';

// `npm run test:citus [-- PATH…]`: the service on the Citus cluster whose coordinator CITUS_DATABASE_URL names.
if (process.env.CITUS_DATABASE_URL === undefined) {
  say('Skipped: CITUS_DATABASE_URL does not name the coordinator of a Citus cluster.');
} else {
  await prepare('test');
  await runJest(['--config', 'jest.citus.config.mjs', ...process.argv.slice(2)]);
}
