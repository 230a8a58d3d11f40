import { startEmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';

/**
 * Embedded servers in a process that a test can kill: `node embedded-run.js DATA_DIR`. Prints one JSON line when they
 * are ready, stops on SIGTERM, and exits with 1 and a message when they cannot start. It also exits when the test
 * closes its standard input.
 */
const log = (line: string) => process.stderr.write(`${line}\n`);
const watchdog = Watchdog.start();
process.stdin.resume().once('end', () => process.exit(1));
try {
  const servers = await startEmbeddedServers({
    asSuperuser: true,
    dataDir: process.argv[2]!,
    watchdog,
    log,
  });
  process.once('SIGTERM', () => {
    void servers
      .stop()
      .then(() => watchdog.close())
      .then(() => process.exit(0));
  });
  const { databaseUrl, redisUrl } = servers;
  process.stdout.write(`${JSON.stringify({ databaseUrl, redisUrl, watchdog: watchdog.pid })}\n`);
} catch (error) {
  log((error as Error).message);
  await watchdog.close();
  process.exit(1);
}
