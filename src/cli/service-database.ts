import type { Environment } from '../config/environment.js';
import { AT_ONCE, awaitServers } from '../infrastructure/await-servers.js';

/**
 * The URL of the service's Postgres. Throws a sentence with the remedy when there is none, or when it does not respond.
 */
export async function serviceDatabase({ DATABASE_URL }: Environment): Promise<string> {
  if (DATABASE_URL === undefined) throw new Error('DATABASE_URL must name the Postgres of the service');
  await awaitServers({ DATABASE_URL }, () => undefined, AT_ONCE);
  return DATABASE_URL;
}
