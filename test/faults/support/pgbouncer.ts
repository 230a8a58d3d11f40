import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEARCH_SETTINGS } from '../../../src/database/search-settings.js';
import type { ServerAddresses } from '../../../src/launcher/embedded-servers.js';
import { freePort } from '../../../src/launcher/free-port.js';
import { query } from '../../../scripts/bench/support/query.js';

/** What the operations manual sets for each role, because PgBouncer does not pass it on. */
const ROLE_SETTINGS = [
  ['statement_timeout', '30s'],
  ['idle_in_transaction_session_timeout', '60s'],
  ...SEARCH_SETTINGS,
] as const;
const READABLE_BY_ALL = 0o644;
const ENTERED_BY_ALL = 0o755;

/** A running PgBouncer. */
export interface Pooler {
  /** The addresses to use instead of those of Postgres. */
  addresses: ServerAddresses;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer, `program`, in front of the Postgres of these servers, with the settings of
 * docker/compose.scale-out.yaml.
 */
export async function startPooler(program: string, servers: ServerAddresses): Promise<Pooler> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'bench-pgbouncer-'));
  const isRoot = process.getuid?.() === 0;
  const { hostname, port: postgresPort } = new URL(servers.databaseUrl);
  const urls = [servers.databaseUrl, servers.databaseRequestUrl ?? servers.databaseUrl].map(
    (url) => new URL(url),
  );
  for (const { username } of urls)
    for (const [name, value] of ROLE_SETTINGS)
      await query(servers.databaseUrl, `ALTER ROLE "${username}" SET ${name} = '${value}'`);
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    users,
    urls.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`).join(''),
  );
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 40
max_prepared_statements = 500
server_login_retry = 1
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,extra_float_digits,options
${isRoot ? 'user = nobody' : ''}
`,
  );
  // It does not run as root, and reads its files after it has changed its user.
  if (isRoot) {
    await chmod(folder, ENTERED_BY_ALL);
    for (const file of [users, settings]) await chmod(file, READABLE_BY_ALL);
  }
  const child = spawn(program, ['--quiet', settings], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code) => resolve(`exit code ${String(code)}`));
  });
  const through = (url: string): string => {
    const address = new URL(url);
    [address.hostname, address.port] = ['127.0.0.1', String(port)];
    return address.href;
  };
  const addresses = {
    ...servers,
    databaseUrl: through(servers.databaseUrl),
    ...(servers.databaseRequestUrl !== undefined && {
      databaseRequestUrl: through(servers.databaseRequestUrl),
    }),
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const failure = await Promise.race([exited, query(addresses.databaseUrl, 'SELECT 1').then(() => null)]);
  if (failure !== null) {
    await stop();
    throw new Error(`${program} does not run: ${failure}`);
  }
  return { addresses, stop };
}
