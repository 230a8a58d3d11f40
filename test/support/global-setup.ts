import 'reflect-metadata';
import type { EmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { TEST_CLUSTER_URLS } from './cluster.js';
import { startTestServers, TEST_DATABASE_REQUEST_URL, TEST_DATABASE_URL, TEST_REDIS_URL } from './servers.js';

declare global {
  var testServers: EmbeddedServers | undefined;
}

/** Starts Postgres and Redis for the test run; the workers that Jest starts later inherit their addresses. */
export default function setUp(): Promise<void> {
  return setUpOn(undefined);
}

/** As {@link setUp}, with the databases on the Citus cluster of a coordinator if one is given. */
export async function setUpOn(coordinator: string | undefined): Promise<void> {
  const servers = await startTestServers((line) => process.stderr.write(`${line}\n`), {
    ...(coordinator !== undefined && { coordinator }),
  });
  if (servers.cluster !== undefined) process.env[TEST_CLUSTER_URLS] = servers.cluster.join(' ');
  globalThis.testServers = servers;
  process.env[TEST_DATABASE_URL] = servers.databaseUrl;
  process.env[TEST_DATABASE_REQUEST_URL] = servers.databaseRequestUrl;
  process.env[TEST_REDIS_URL] = servers.redisUrl;
}
