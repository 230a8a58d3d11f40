import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_DATABASE_URL } from '../support/servers.js';
import { until } from '../support/until.js';
import { startFromCommand, type StartedService } from '../support/started-service.js';

const FIELDS = [
  'base_url',
  'docs_url',
  'workspace_id',
  'api_key',
  'admin_token',
  'platform_url',
  'pid',
] as const;
let folder: string;
const started: StartedService[] = [];

async function start(args: string[], variables: NodeJS.ProcessEnv): Promise<StartedService> {
  const service = await startFromCommand(args, variables);
  started.push(service);
  return service;
}

function get(service: StartedService, path: string, key = service.line.api_key): Promise<Response> {
  return fetch(service.line.base_url + path, { headers: { 'X-API-Key': key } });
}

function refusedStart(args: string[], variables: NodeJS.ProcessEnv) {
  const program = join(import.meta.dirname, '../support/start-run.js');
  return spawnSync(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: folder, ...variables },
    encoding: 'utf8',
  });
}

async function untilEmpty(path: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; (await readdir(path)).length > 0; await sleep(50))
    if (performance.now() > deadline) throw new Error(`Left in ${path}: ${String(await readdir(path))}`);
}

async function temporaryFolder(name: string): Promise<string> {
  const path = await mkdtemp(join(folder, name));
  await chmod(path, 0o711);
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  await chmod(folder, 0o711);
});

afterAll(async () => {
  await Promise.all(started.map((service) => service.end('SIGTERM')));
  await rm(folder, { recursive: true, force: true });
});

describe('a service of npm start -- --json --ephemeral', () => {
  let service: StartedService;

  beforeAll(async () => {
    service = await start(['--json', '--ephemeral'], { TMPDIR: await temporaryFolder('with a space ') });
  });

  it('stores what its own synthetic platform invents as synthetic', async () => {
    const workspace = `/api/v1/workspaces/${service.line.workspace_id}`;
    const created = await fetch(`${service.line.base_url}${workspace}/jobs`, {
      method: 'POST',
      headers: { 'X-API-Key': service.line.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ target: 'technology', limit: 5, scrape_comments: false }),
    });
    const { id } = (await created.json()) as { id: string };
    const job = await until(
      async () => (await (await get(service, `${workspace}/jobs/${id}`)).json()) as Record<string, unknown>,
      ({ status }) => status !== 'pending' && status !== 'running',
    );
    expect(job).toMatchObject({ status: 'completed', progress: { source: 'synthetic' } });
    const { posts } = (await (await get(service, `${workspace}/posts?view=full`)).json()) as {
      posts: { id: string; source: string }[];
    };
    expect(posts.map(({ source }) => source)).toEqual(Array(5).fill('synthetic'));
    const listed = await fetch(`${service.line.platform_url}/archive/api/posts/search?subreddit=technology`);
    const { data } = (await listed.json()) as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toContain(posts[0]!.id);
  });

  it.each([
    ['the service', 'supervised', ({ base_url }: StartedService['line']) => `${base_url}/health/ready`],
    ['the platform', 'main', ({ platform_url }: StartedService['line']) => `${platform_url}/__control/state`],
  ])(
    'restarts %s, on a port that was free, at the same address when it ends by itself',
    async (_name, program, addressOf) => {
      const line = new RegExp(`^ *(\\d+) .*/${program}\\.js`, 'm');
      const findPid = (): string | undefined =>
        line.exec(
          spawnSync('ps', ['-o', 'pid=,args=', '--ppid', service.line.pid], { encoding: 'utf8' }).stdout,
        )?.[1];
      const answers = () =>
        fetch(addressOf(service.line)).then(
          ({ ok }) => ok,
          () => false,
        );
      expect(await answers()).toBe(true);
      const pid = findPid()!;
      process.kill(Number(pid), 'SIGKILL');
      await until(findPid, (found) => found !== undefined && found !== pid);
      await until(answers);
    },
  );
});

describe('npm start -- --json --ephemeral', () => {
  it('runs twice at once, and leaves nothing behind after SIGTERM and SIGKILL', async () => {
    const folders = await Promise.all(['one', 'two'].map(temporaryFolder));
    const [one, two] = (await Promise.all(
      folders.map((path) => start(['--json', '--ephemeral'], { TMPDIR: path })),
    )) as [StartedService, StartedService];
    for (const service of [one, two]) {
      expect(Object.keys(service.line)).toEqual(FIELDS);
      expect(service.line.pid).toBe(service.child.pid);
      expect(service.line.docs_url).toBe(`${service.line.base_url}/docs`);
      expect((await fetch(`${service.line.base_url}/health/ready`)).status).toBe(200);
      expect((await fetch(service.line.docs_url)).status).toBe(200);
      expect((await get(service, `/api/v1/workspaces/${service.line.workspace_id}/jobs`)).status).toBe(200);
    }
    expect((await get(one, `/api/v1/workspaces/${two.line.workspace_id}/jobs`)).status).toBe(403);
    const audit = await fetch(`${one.line.base_url}/api/v1/admin/audit`, {
      headers: { Authorization: `Bearer ${one.line.admin_token}` },
    });
    const { entries } = (await audit.json()) as { entries: Record<string, unknown>[] };
    expect(entries).toEqual([
      expect.objectContaining({
        action: 'workspace create',
        actor: 'command_line',
        workspace_id: `ws_${one.line.workspace_id}`,
      }),
    ]);
    expect((await get(one, '/api/v1/workspaces/x/jobs', two.line.api_key)).status).toBe(401);

    expect(await one.end('SIGTERM')).toBe(0);
    await two.end('SIGKILL');
    await Promise.all(folders.map(untilEmpty));
    expect([one.lines.length, two.lines.length]).toEqual([1, 1]);
  });

  it('is also refused with one sentence by a process of the service', async () => {
    const plugins = await temporaryFolder('plugins');
    await writeFile(join(plugins, 'broken.mjs'), 'export default {};');
    const { status, stderr } = refusedStart(['--json', '--ephemeral'], { PLUGINS_DIR: plugins });
    expect(status).toBe(78);
    const sentences = stderr.split('\n').filter((line) => !/^(?:$|Preparing|Waiting for)/.test(line));
    expect(sentences).toEqual([
      expect.stringMatching(
        /^PLUGINS_DIR: .*broken\.mjs is not a plugin: .*; correct the file or remove it$/,
      ),
    ]);
  });

  it.each([
    [['--jsn'], {}, '--jsn'],
    [['--json', '--ephemeral'], { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' }, 'unset DATABASE_URL'],
    [['--json', '--ephemeral'], { PLUGINS_DIR: '/none' }, 'PLUGINS_DIR /none cannot be read'],
    [['--json', '--ephemeral'], { HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine'],
  ])('refuses %j with %j', async (args, variables, words) => {
    const { status, stdout, stderr } = refusedStart(args, variables);
    expect(status).toBe(78);
    expect(stdout).toBe('');
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('workspace-scraping-'))).toEqual([]);
  });
});

describe('a process of the service, as containers start it', () => {
  const run = (program: string, variables: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../src', program)], {
      env: { PATH: process.env.PATH, ...variables },
      encoding: 'utf8',
    });

  it('names variables without effect, and is refused with one sentence', () => {
    const { status, stderr } = run('main.js', { QUOTA_FOR_NOTHING: '1', PORT: 'x' });
    expect([status, stderr.trim().split('\n')]).toEqual([
      78,
      [
        expect.stringMatching(/^QUOTA_FOR_NOTHING is not a variable of this service and has no effect/),
        expect.stringMatching(/^PORT must be a whole number/),
      ],
    ]);
  });

  it('is refused with one sentence before the schema is migrated', () => {
    const { status, stderr } = run('cli/migrate.js', { PORT: 'x' });
    expect([status, stderr]).toEqual([78, expect.stringMatching(/^PORT must be a whole number.*\n$/)]);
  });

  it('is refused with one sentence when Postgres refuses the password', () => {
    const url = new URL(process.env[TEST_DATABASE_URL]!);
    url.password = 'wrong';
    const { status, stderr } = run('cli/migrate.js', { DATABASE_URL: url.href });
    expect([status, stderr]).toEqual([
      78,
      'DATABASE_URL: Postgres refuses the user or the password (28P01)\n',
    ]);
  });
});

describe('npm start -- --json', () => {
  it('keeps its workspace, key and admin token in DATA_DIR, readable by the owner only', async () => {
    const dataDir = join(await temporaryFolder('data'), 'data');
    const variables = { DATA_DIR: dataDir, PORT: '0' };
    const first = await start(['--json'], variables);
    await first.end();
    const second = await start(['--json'], variables);
    const kept = ['workspace_id', 'api_key', 'admin_token'] as const;
    expect(kept.map((name) => second.line[name])).toEqual(kept.map((name) => first.line[name]));
    expect((await get(second, `/api/v1/workspaces/${second.line.workspace_id}/jobs`)).status).toBe(200);
    for (const name of ['admin.token', 'harness.json'])
      expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  });
});
