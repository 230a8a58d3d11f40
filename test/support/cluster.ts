import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const COMMANDS = join(import.meta.dirname, '../../src/cli');
const TIMEOUT_MS = 120_000;

/**
 * Variable with the address, as a superuser, of a database of a Citus cluster's coordinator in which its nodes are
 * known. Tests create their databases beside it, on every node.
 */
export const CITUS_DATABASE_URL = 'CITUS_DATABASE_URL';

/** Variable with the addresses of the cluster's servers for the test files, separated by blanks, coordinator first. */
export const TEST_CLUSTER_URLS = 'TEST_CLUSTER_URLS';

/** The servers on which each test database is created; null when tests do not run on a cluster. */
export function clusterUrls(): string[] | null {
  return process.env[TEST_CLUSTER_URLS]?.split(' ') ?? null;
}

/** The address of another database of the same server. */
export function onDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements one after another on their own connection; returns the rows of the last one. */
export async function runOnServer<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // The statement that runs fails too, if the connection is lost.
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Kills a backend, whereupon the server ends all connections, recovers and accepts connections again. */
export async function crashServer(server: string): Promise<void> {
  const killed = runOnServer(server, `COPY (SELECT) TO PROGRAM 'kill -9 $PPID'`);
  await killed.then(
    () => Promise.reject(new Error('The server survived')),
    () => undefined,
  );
}

/** The addresses of a cluster's servers, coordinator first. */
export async function findServers(coordinator: string): Promise<string[]> {
  const nodes = await runOnServer<{ host: string; port: number }>(
    coordinator,
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE isactive ORDER BY groupid',
  );
  if (nodes.length < 2) throw new Error(`${CITUS_DATABASE_URL} names a database without worker nodes`);
  return nodes.map(({ host, port }) => {
    const url = new URL(coordinator);
    [url.hostname, url.port] = [host, String(port)];
    return url.href;
  });
}

/** Creates an empty database on every server, and adds the workers to it on the coordinator. */
export async function createOnCluster(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) {
    await runOnServer(server, `CREATE DATABASE ${name}`);
    await runOnServer(onDatabase(server, name), 'CREATE EXTENSION citus', 'CREATE EXTENSION btree_gin');
  }
  const [coordinator, ...workers] = servers.map((server) => onDatabase(server, name));
  const node = (url: string): string => `'${new URL(url).hostname}', ${new URL(url).port}`;
  await runOnServer(
    coordinator!,
    `SELECT citus_set_coordinator_host(${node(coordinator!)})`,
    ...workers.map((worker) => `SELECT citus_add_node(${node(worker)})`),
  );
}

/** Runs `npm run db -- distribute`. */
export async function distribute(databaseUrl: string): Promise<void> {
  const options = { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl }, timeout: TIMEOUT_MS };
  await run(process.execPath, [join(COMMANDS, 'db.js'), 'distribute'], options);
}

/** Creates a migrated, distributed database on every server, to which nobody can connect: clones need that. */
export async function makeClusterTemplate(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) await runOnServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await createOnCluster(servers, name);
  const coordinator = onDatabase(servers[0]!, name);
  const options = { env: { PATH: process.env.PATH, DATABASE_URL: coordinator }, timeout: TIMEOUT_MS };
  await run(process.execPath, [join(COMMANDS, 'migrate.js')], options);
  await distribute(coordinator);
  for (const server of servers)
    await runOnServer(
      server,
      // Citus refuses ALTER DATABASE … ALLOW_CONNECTIONS.
      `UPDATE pg_database SET datallowconn = false WHERE datname = '${name}'`,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
}
