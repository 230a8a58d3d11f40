import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { ConfigurationError, type Environment } from '../config/environment.js';
import { startFailureSentence } from '../config/start-failure.js';
import { dataDirHolder } from './data-dir-lock.js';
import { DATA_DIR_MODE } from './postgres-user.js';
import type { ServicePlan } from './service-plan.js';

/**
 * Detects within milliseconds problems that would fail the start seconds later: an unusable folder, or an address at
 * which the service cannot listen. Throws {@link ConfigurationError}.
 */
export async function checkBeforeStart(
  environment: Pick<Environment, 'HOST' | 'PORT' | 'DATA_DIR' | 'PLUGINS_DIR'>,
  plan: Pick<ServicePlan, 'postgres' | 'redis'>,
): Promise<void> {
  const { HOST, PORT, DATA_DIR, PLUGINS_DIR } = environment;
  if (PLUGINS_DIR !== undefined)
    await readdir(PLUGINS_DIR).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigurationError(
        `PLUGINS_DIR ${PLUGINS_DIR} cannot be read (${error.code}); set it to a folder with plugins or unset it`,
      );
    });
  if (plan.postgres || plan.redis) {
    await mkdir(DATA_DIR, { recursive: true, mode: DATA_DIR_MODE }).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigurationError(
        `DATA_DIR ${DATA_DIR} cannot be used (${error.code}); set it to a folder that this user may write`,
      );
    });
    // The service that has the folder also has the port; the check of the folder's lock reports that service.
    if ((await dataDirHolder(DATA_DIR)) !== null) return;
  }
  await checkAddress(HOST, PORT);
}

async function checkAddress(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const sentence = startFailureSentence(error);
    if (sentence === null) throw error;
    throw new ConfigurationError(sentence);
  } finally {
    server.close();
  }
}
