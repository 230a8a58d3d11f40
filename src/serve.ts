import 'reflect-metadata';
import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from './application.js';
import { awaitServers } from './infrastructure/await-servers.js';
import { VERSION } from './common/version.js';
import { parseEnvironment } from './config/environment.js';
import { startFailure } from './config/start-failure.js';

/**
 * With the API, garbage is collected when the heap, to which V8 adds the bytes of buffers, has doubled instead of grown
 * by a tenth. A search reads megabytes of blocks, and would otherwise often wait for a collection.
 */
const GARBAGE_OF_API = '--heap-growing-percent=100';
/** Files and folders that the service creates are closed to other users of the machine. */
const OWNER_ONLY = 0o077;
/** Niceness of processes without the API: a ninth of its share of a busy processor. */
const BACKGROUND_NICENESS = 10;
/** One entry for each thread of this process; only on Linux. */
const THREADS = '/proc/self/task';

/**
 * Starts one process of the service with these variables and listens. Exits with a message and code 78 when the
 * operator has to change the configuration, or with code 1 when a server cannot be reached; throws every other error.
 */
export async function serve(variables: NodeJS.ProcessEnv): Promise<NestExpressApplication> {
  process.umask(OWNER_ONLY);
  try {
    const environment = parseEnvironment(variables);
    // On a shared machine, requests are answered before jobs go on.
    if (environment.ROLES.includes('api')) setFlagsFromString(GARBAGE_OF_API);
    else lowerPriority();
    await awaitServers(environment, (line) => process.stderr.write(`${line}\n`));
    const app = await createApplication(environment);
    app.enableShutdownHooks();
    await app.listen(environment.PORT, environment.HOST);
    logBeginAndEnd(environment.ROLES, await app.getUrl());
    return app;
  } catch (error) {
    const failure = startFailure(error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.sentence}\n`);
    process.exit(failure.exitCode);
  }
}

/** Logs that the process serves, and from which signal on it no longer does. */
function logBeginAndEnd(roles: readonly string[], url: string): void {
  const logger = new Logger('Service');
  logger.log(`Version ${VERSION} serves ${roles.join(', ')} at ${url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => logger.log(`Stopping because of ${signal}`));
}

/**
 * Gives all threads of the process the niceness of background work. On Linux a priority belongs to a thread: new threads
 * inherit it, but those of V8, which collect garbage and compile, have started before.
 */
function lowerPriority(): void {
  setPriority(BACKGROUND_NICENESS);
  if (!existsSync(THREADS)) return;
  for (const thread of readdirSync(THREADS)) {
    try {
      setPriority(Number(thread), BACKGROUND_NICENESS);
    } catch {
      // The thread has ended meanwhile.
    }
  }
}
