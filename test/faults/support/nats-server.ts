import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/free-port.js';
import { until } from '../../support/until.js';
import { accepts, ended } from './server-programs.js';

/** Where Debian's package `nats-server` has its program. */
const PROGRAM = '/usr/sbin/nats-server';

export const hasNatsServer = (): boolean => existsSync(PROGRAM);

/** A running NATS server with its streams in a temporary folder. */
export interface NatsServer {
  /** Address of the server, without a user. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a NATS server on loopback with JetStream and the given lines of its configuration. */
export async function startNatsServer(configuration: string): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nats-'));
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  await writeFile(
    file,
    `host: 127.0.0.1\nport: ${port}\njetstream: { store_dir: ${JSON.stringify(folder)} }\n${configuration}\n`,
  );
  const server = spawn(PROGRAM, ['-c', file], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(() => server.exitCode !== null || accepts(port));
    if (server.exitCode !== null) throw new Error(`nats-server ended with exit code ${server.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `nats://127.0.0.1:${port}`, stop };
}
