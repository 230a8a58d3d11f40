import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { VARIABLES } from '../src/config/environment.js';
import { NODE_OPTIONS } from '../src/launcher/programs.js';
import { ROOT } from './support/doc-blocks.js';
import { document, read } from './support/compose.js';
import { childrenOf, parseXml } from './support/xml.js';

/** One container of a manifest, in the same form for all platforms. */
interface Started {
  image: string;
  command: string[];
  environment: Record<string, string>;
  /** Folders within the container that are kept. */
  folders: string[];
}

interface Part {
  image?: string;
  command?: string[];
  environment?: string[] | Record<string, string>;
  volumes?: string[];
  caproverExtra?: { containerHttpPort?: string; dockerfileLines?: string[] };
}

const compose = document('compose.yaml').services;
const imageOf = (name: string): string => /:-(.+)\}$/.exec(compose[name]!.image!)![1]!;
/** The port on which the image listens, and the folder of its data. */
const [, PORT, DATA] = /PORT=(\d+) DATA_DIR=(\S+)/.exec(read('Dockerfile'))!;

/** The one definition: the servers of Compose without their files of secrets, and one process with all roles. */
const SERVICE = {
  image: imageOf('api'),
  command: ['sh', '-c', 'node dist/src/cli/migrate.js && exec node dist/src/main.js'],
  folders: [DATA],
};
const NEEDED = ['ADMIN_TOKEN', 'DATABASE_URL', 'NODE_OPTIONS', 'PUBLIC_URL', 'REDIS_URL'];
const POSTGRES = {
  image: imageOf('postgres'),
  folders: ['/var/lib/postgresql'],
  environment: {
    POSTGRES_USER: 'scraper',
    POSTGRES_DB: 'scraper',
    POSTGRES_INITDB_ARGS: compose.postgres!.environment!.POSTGRES_INITDB_ARGS,
  },
};
const REDIS = {
  image: imageOf('redis'),
  command: [
    'redis-server',
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxmemory-policy',
    'noeviction',
    '--requirepass',
  ],
};

function started({ image, command = [], environment = {}, volumes = [], caproverExtra }: Part): Started {
  const lines = caproverExtra?.dockerfileLines ?? [];
  const line = (word: string): string | undefined =>
    lines.find((each) => each.startsWith(`${word} `))?.slice(word.length + 1);
  const given = Array.isArray(environment)
    ? environment.map((each) => each.split(/=(.*)/s).slice(0, 2))
    : Object.entries(environment);
  return {
    image: image ?? line('FROM')!,
    command: lines.length > 0 ? (JSON.parse(line('CMD')!) as string[]) : command,
    environment: Object.fromEntries(given) as Record<string, string>,
    folders: volumes.map((volume) => volume.split(':')[1]!),
  };
}

const PLATFORMS: Record<string, { file: string; names: [service: string, postgres: string, redis: string] }> =
  {
    Coolify: { file: 'start/coolify.yaml', names: ['service', 'postgres', 'redis'] },
    CapRover: {
      file: 'start/caprover.yaml',
      names: ['$$cap_appname', '$$cap_appname-postgres', '$$cap_appname-redis'],
    },
    Umbrel: { file: 'start/umbrel/docker-compose.yml', names: ['service', 'postgres', 'redis'] },
  };
/** What a platform itself reads, and is no variable of the service. */
const OF_THE_PLATFORM = /^SERVICE_URL_/;

describe.each(Object.entries(PLATFORMS))('the manifest for %s', (_platform, { file, names }) => {
  const parts = (parse(read(file)) as { services: Record<string, Part> }).services;
  const [service, postgres, redis] = names.map((name) => started(parts[name]!));

  it('starts the service with the variables that it needs', () => {
    expect(service).toMatchObject(SERVICE);
    const variables = Object.keys(service!.environment).filter((name) => !OF_THE_PLATFORM.test(name));
    expect(variables.sort()).toEqual([...NEEDED, 'TRUSTED_PROXIES'].sort());
    expect(service!.environment.NODE_OPTIONS).toBe(NODE_OPTIONS.join(' '));
  });

  it('starts the servers as Compose does, each with a password', () => {
    const { POSTGRES_PASSWORD: password, ...environment } = postgres!.environment;
    expect({ ...postgres, environment }).toMatchObject(POSTGRES);
    expect(redis).toMatchObject({ image: REDIS.image, folders: [] });
    expect(redis!.command.slice(0, -1)).toEqual(REDIS.command);
    for (const secret of [password, redis!.command.at(-1)!, service!.environment.ADMIN_TOKEN])
      expect(secret).toMatch(/^\$(\{\w+\}|\$cap_\w+)$/);
    expect(service!.environment.DATABASE_URL).toContain(`postgres://scraper:${password}@`);
    expect(service!.environment.REDIS_URL).toContain(`redis://:${redis!.command.at(-1)}@`);
  });

  it('sends requests to the port on which the image listens', () => {
    const ports = [
      ...Object.keys(service!.environment).flatMap(
        (name) => /^SERVICE_URL_SERVICE_(\d+)$/.exec(name)?.[1] ?? [],
      ),
      ...[parts[names[0]]!.caproverExtra?.containerHttpPort ?? []].flat(),
      ...[parts.app_proxy && started(parts.app_proxy).environment.APP_PORT].filter(Boolean).map(String),
    ];
    expect(ports).toEqual([PORT]);
  });
});

it('the app of Umbrel has the version of the image', () => {
  const { version, port, id } = parse(read('start/umbrel/umbrel-app.yml')) as Record<string, unknown>;
  expect(`${String(id)}:${String(version)}`).toBe(SERVICE.image);
  expect(String(port)).toBe(PORT);
});

it('the template of CapRover declares every value that it uses', () => {
  const text = read('start/caprover.yaml');
  const { caproverOneClickApp } = parse(text) as { caproverOneClickApp: { variables: { id: string }[] } };
  const used = [...text.matchAll(/\$\$cap_\w+(?!\w*\()/g)].map(([name]) => name);
  const builtIn = ['$$cap_appname', '$$cap_root_domain', '$$cap_gen_random_hex'];
  expect(caproverOneClickApp.variables.map(({ id }) => id).sort()).toEqual(
    [...new Set(used)].filter((name) => !builtIn.includes(name)).sort(),
  );
});

it('the template of Unraid starts the service with the variables that it needs', () => {
  const container = parseXml(read('start/unraid.xml'));
  const textOf = (name: string): string => childrenOf(container, name)[0]!.text;
  const configs = childrenOf(container, 'Config').map(({ attributes }) => attributes);
  const targets = (type: string) => configs.filter(({ Type }) => Type === type).map(({ Target }) => Target);
  const [, command] = /^sh -c "(.+)"$/.exec(textOf('PostArgs'))!;
  expect({ image: textOf('Repository'), command: ['sh', '-c', command], folders: targets('Path') }).toEqual(
    SERVICE,
  );
  expect(targets('Variable').sort()).toEqual(NEEDED);
  expect(targets('Port')).toEqual([PORT]);
  expect(textOf('WebUI')).toContain(`[PORT:${PORT}]`);
  for (const { Target, Mask } of configs)
    expect([Target, Mask]).toEqual([Target, String(/_TOKEN$|^(DATABASE|REDIS)_URL$/.test(Target!))]);
});

describe('the unit of systemd', () => {
  const lines = read('start/workspace-scraping-service.service').split('\n');
  const valueOf = (key: string): string =>
    lines.find((line) => line.startsWith(`${key}=`))!.slice(key.length + 1);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };

  it('starts the program of a release in a folder that it may write', () => {
    expect(valueOf('ExecStart')).toBe(`/opt/${name}/node_modules/.bin/${name}`);
    const variables = Object.fromEntries(
      valueOf('Environment')
        .split(' ')
        .map((each) => each.split('=')),
    );
    expect(variables).toEqual({ PORT, DATA_DIR: `/var/lib/${valueOf('StateDirectory')}` });
    for (const variable of Object.keys(variables)) expect(VARIABLES).toContain(variable);
    expect(valueOf('WorkingDirectory')).toBe(variables.DATA_DIR);
  });

  it('does not start again what has to be corrected first', () => {
    expect(valueOf('RestartPreventExitStatus')).toBe('78');
    // Longer than processes need to finish requests and batches.
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(parseInt(compose.api!.stop_grace_period!));
  });

  it('is installed by commands that name this version', () => {
    expect(readFileSync(join(ROOT, 'docs/start-pages.md'), 'utf8')).toContain(`${name}-${version}.tgz`);
  });
});
