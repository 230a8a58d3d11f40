import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startEmbeddedServers,
  type EmbeddedServers,
  type ServerAddresses,
} from '../../../src/launcher/embedded-servers.js';
import { Watchdog } from '../../../src/launcher/watchdog-client.js';

type Started = { servers: EmbeddedServers & { dataDir: string }; watchdog: Watchdog };

let started: Promise<Started> | undefined;

/**
 * A Postgres and a Redis for this benchmark only, started on first use, and their folder. They write to disk, as in
 * production.
 */
export async function benchServers(): Promise<ServerAddresses & { dataDir: string }> {
  started ??= start();
  return (await started).servers;
}

/** Stops them and removes their data; does nothing when none was started. */
export async function stopBenchServers(): Promise<void> {
  if (started === undefined) return;
  const { servers, watchdog } = await started;
  await servers.stop();
  await watchdog.close();
}

async function start(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scraping-service-bench-'));
  const watchdog = Watchdog.start();
  watchdog.removeAtEnd(dataDir);
  const log = (line: string): void => console.error(line);
  const servers = await startEmbeddedServers({ asSuperuser: true, dataDir, watchdog, log });
  return { servers: { ...servers, dataDir }, watchdog };
}
