import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/free-port.js';
import { until } from '../../support/until.js';
import { accepts, ended } from './server-programs.js';

/** Where Debian's package `rabbitmq-server` has its program. */
const PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const START_TIMEOUT_MS = 120_000;

export const hasRabbitMq = (): boolean => existsSync(PROGRAM);

/** A running RabbitMQ with its data in a temporary folder. */
export interface RabbitMq {
  /** Address of the broker, without a user. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a RabbitMQ on loopback with the users, exchanges and queues of `definitions`, in the form of its exports. */
export async function startRabbitMq(definitions: object): Promise<RabbitMq> {
  const folder = await mkdtemp(join(tmpdir(), 'rabbitmq-'));
  const [port, distributionPort, mapperPort] = [await freePort(), await freePort(), await freePort()];
  await writeFile(join(folder, 'definitions.json'), JSON.stringify(definitions));
  await writeFile(join(folder, 'plugins'), '[].');
  await writeFile(join(folder, 'rabbitmq.conf'), `load_definitions = ${join(folder, 'definitions.json')}\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(mapperPort),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_NODENAME: `test-${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
  // Otherwise the server starts one that outlives it.
  const mapper = spawn('epmd', ['-port', String(mapperPort), '-address', '127.0.0.1'], { stdio: 'ignore' });
  const server = spawn(PROGRAM, [], { env, stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    await ended(server);
    await ended(mapper);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(() => server.exitCode !== null || accepts(port), Boolean, { timeoutMs: START_TIMEOUT_MS });
    if (server.exitCode !== null) throw new Error(`RabbitMQ ended with exit code ${server.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `amqp://127.0.0.1:${port}`, stop };
}
