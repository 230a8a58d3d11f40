import { prepare, say } from './lib/prepare.mjs';

// `npm run test:citus [-- PATH…]`: the service on the Citus cluster whose coordinator CITUS_DATABASE_URL names.
if (process.env.CITUS_DATABASE_URL === undefined) {
  say('Skipped: CITUS_DATABASE_URL does not name the coordinator of a Citus cluster.');
} else {
  await prepare('test');
  // Run in this process, so that killing the command ends the test run.
  const { run } = await import('jest');
  const paths = process.argv.slice(2).map((argument) => argument.replace(/\.ts$/, '.js'));
  await run(['--config', 'jest.citus.config.mjs', ...paths]);
}
