import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { type EmbeddedServers, startEmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { freePort } from '../../src/launcher/free-port.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';
import { document, DOCKER, read } from '../support/compose.js';
import { runJob } from '../support/jobs.js';
import { until } from '../support/until.js';
import { openSandbox } from '../support/sandbox.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(DOCKER, '..');
const MOUNTED = '/run/secrets';
/** The program that the image starts by default. */
const [, IMAGE_COMMAND] = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))!;

/**
 * The services of compose.yaml as processes, where no engine of containers is needed: with the commands, variables and
 * secrets of their containers, and with a Postgres whose logins its own script makes.
 */
describe('the compose file', () => {
  const { services } = document('compose.yaml');
  const started = new Map<string, { child: ChildProcess; port: number }>();
  let folder: string;
  let secrets: string;
  let watchdog: Watchdog;
  let servers: EmbeddedServers;
  let sandbox: Sandbox;

  const administer = async <T extends object>(sql: string, url = servers.databaseUrl): Promise<T[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  /** Replaces a secret, whose file can only be read. */
  function fill(name: string, secret: string): void {
    rmSync(join(secrets, name));
    writeFileSync(join(secrets, name), secret);
  }

  /** As the image of Postgres does when it creates its data: an empty database, then the script. */
  async function makeLogins(): Promise<void> {
    const { hostname, port, username, password } = new URL(servers.databaseUrl);
    const maintenance = new URL(servers.databaseUrl);
    maintenance.pathname = '/postgres';
    await administer('DROP DATABASE scraper WITH (FORCE)', maintenance.href);
    for (const role of ['wss_owner', 'wss_request', 'wss_workspace']) {
      await administer(`DROP OWNED BY ${role}`, maintenance.href);
      await administer(`DROP ROLE ${role}`, maintenance.href);
    }
    await administer('CREATE DATABASE scraper', maintenance.href);
    const script = read('postgres/logins.sh').replaceAll(MOUNTED, secrets);
    execFileSync('sh', ['-c', script], {
      env: {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port,
        PGPASSWORD: password,
        POSTGRES_USER: username,
        POSTGRES_DB: 'scraper',
      },
      stdio: 'pipe',
    });
  }

  /** What an operator fills into the files of variables; platform.env holds all that scraping needs. */
  const filledIn = (file: string): Record<string, string> =>
    file === 'platform.env'
      ? {
          PLATFORM_CLIENT_ID: 'client',
          PLATFORM_USER_AGENT: 'server:test:1.0 (by /u/test)',
          PLATFORM_BASE_URL: sandbox.baseUrl,
          PLATFORM_AUTH_URL: sandbox.baseUrl,
        }
      : {};

  /** Variables of a container: those of the image, of its files and its own. */
  function variablesOf(name: string, port: number, metricsPort: number): NodeJS.ProcessEnv {
    const { env_file = [], environment = {} } = services[name]!;
    const own = Object.entries(environment).map(
      ([key, value]) => [key, value.replace(MOUNTED, secrets)] as const,
    );
    return {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      ...Object.fromEntries([env_file].flat().flatMap((file) => Object.entries(filledIn(file)))),
      ...Object.fromEntries(own),
      METRICS_PORT: String(metricsPort),
    };
  }

  async function start(name: string): Promise<ChildProcess> {
    const [, ...args] = services[name]!.command ?? (JSON.parse(IMAGE_COMMAND!) as string[]);
    const port = await freePort();
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: variablesOf(name, port, await freePort()),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    started.set(name, { child, port });
    return child;
  }

  const urlOf = (name: string): string => `http://127.0.0.1:${started.get(name)!.port}`;

  beforeAll(async () => {
    folder = await temporaryFolder();
    secrets = join(folder, 'secrets');
    watchdog = Watchdog.start();
    watchdog.removeAtEnd(folder);
    mkdirSync(join(folder, 'data'));
    copyFileSync(join(DOCKER, 'make-secrets.sh'), join(folder, 'make-secrets.sh'));
    execFileSync('sh', [join(folder, 'make-secrets.sh')], { stdio: 'pipe' });
    fill('platform_client_secret', 'secret');
    sandbox = await openSandbox();
    servers = await startEmbeddedServers({
      asSuperuser: true,
      dataDir: join(folder, 'servers'),
      durability: 'none',
      watchdog,
      log: () => undefined,
    });
    await makeLogins();
    // The servers of this test in place of those of containers.
    for (const name of ['database_url', 'database_request_url']) {
      const address = new URL(readFileSync(join(secrets, name), 'utf8'));
      address.host = new URL(servers.databaseUrl).host;
      fill(name, address.href);
    }
    fill('redis_url', servers.redisUrl);
    const [exitCode] = (await once(await start('migrate'), 'exit')) as [number];
    expect(exitCode).toBe(0);
    for (const name of ['api', 'worker', 'scheduler']) await start(name);
    for (const name of ['api', 'worker', 'scheduler'])
      await until(() =>
        fetch(`${urlOf(name)}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
  });

  afterAll(async () => {
    for (const { child } of started.values())
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
    await servers.stop();
    await watchdog.close();
  });

  it('names all services that the image runs', () => {
    const ofImage = Object.entries(services).flatMap(([name, { build }]) =>
      build === undefined ? [] : name,
    );
    expect(ofImage.sort()).toEqual([...started.keys()].sort());
  });

  it('serves a job with logins of which none is a superuser', async () => {
    const args = ['dist/src/cli/workspace.js', 'create', '--name', 'First', '--json'];
    const output = execFileSync(process.execPath, args, {
      cwd: ROOT,
      env: variablesOf('api', 0, 0),
      encoding: 'utf8',
    });
    const { workspace_id, api_key } = JSON.parse(output) as Record<string, string>;
    const path = (resource: string): string => `/api/v1/workspaces/${workspace_id}${resource}`;
    const workspace = { workspaceId: workspace_id!, apiKey: api_key!, path };
    const job = await runJob({ url: urlOf('api') }, workspace, { target: 'technology', limit: 5 });
    expect(job).toMatchObject({ status: 'completed', posts_scraped: 5 });
    const logins = await administer<{ usename: string; rolsuper: boolean }>(
      `SELECT DISTINCT usename, rolsuper FROM pg_stat_activity JOIN pg_roles ON rolname = usename
       WHERE datname = 'scraper' AND pid <> pg_backend_pid() ORDER BY usename`,
    );
    expect(logins).toEqual([
      { usename: 'wss_owner', rolsuper: false },
      { usename: 'wss_request', rolsuper: false },
    ]);
  });
});
