import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments, parse } from 'yaml';
import { NODE_OPTIONS } from '../src/launcher/programs.js';

const DOCKER = resolve(import.meta.dirname, '../../docker');
const read = (file: string): string => readFileSync(join(DOCKER, file), 'utf8');

interface Container {
  image?: string;
  build?: object;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  env_file?: string | string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  volumes?: string[];
  network_mode?: string;
}

/** Compose's own tags are read as plain values; merge keys are resolved. */
const compose = (file: string): Record<string, Container> =>
  (
    parse(read(file), {
      merge: true,
      customTags: [{ tag: '!reset', collection: 'seq', resolve: (value: unknown) => value }],
    }) as { services: Record<string, Container> }
  ).services;

const base = compose('compose.yaml');
const scaleOut = compose('compose.scale-out.yaml');
/** Both files merged as Compose does, as far as these rules need it. */
const services: [string, Container][] = [...new Set([...Object.keys(base), ...Object.keys(scaleOut)])].map(
  (name) => [name, { ...base[name], ...scaleOut[name] }],
);
const OF_THE_SERVICE = ['migrate', 'api', 'worker', 'scheduler'];
/** Gives a new volume to the store's user: without a network, and with only the capability for that. */
const AS_ROOT = ['store-folder'];

/** A tag down to the patch version or release date, to which `@sha256:` can be added. */
const PINNED =
  /:-?(v?\d+\.\d+(\.\d+)?[\w.-]*|RELEASE\.[\dTZ-]+|v?\d+\.\d+\.\d+-p\d+)(@sha256:[0-9a-f]{64})?\}?$/;

const envFilesOf = ({ env_file = [] }: Container): string[] => [env_file].flat();

describe('the compose files', () => {
  it.each(services)('%s runs without rights, with limits and a pinned image', (name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.image).toMatch(PINNED);
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.healthcheck ?? (OF_THE_SERVICE.includes(name) ? 'of the image' : undefined)).toBeDefined();
    if (AS_ROOT.includes(name)) {
      expect(service).toMatchObject({ network_mode: 'none', cap_add: ['CHOWN'] });
      return;
    }
    expect(service.user).toMatch(/^(?!root$|0(:|$))./);
    expect(service.cap_add).toBeUndefined();
  });

  it('gives the encryption key and the secret of the platform only to the service', () => {
    const readers = (file: string): string[] =>
      services
        .filter(([, service]) => envFilesOf(service).includes(file))
        .map(([name]) => name)
        .sort();
    expect(readers('service.env')).toEqual([...OF_THE_SERVICE].sort());
    expect(readers('postgres.env')).toEqual(['pgbouncer', 'postgres']);
    expect(readers('redis.env')).toEqual(['redis']);
    expect(readers('store.env')).toEqual(['bucket', 'store']);
    for (const file of [
      'postgres.env.example',
      'redis.env.example',
      'store.env.example',
      'grafana.env.example',
    ])
      expect(read(file)).not.toMatch(/ENCRYPTION|PLATFORM|ADMIN_TOKEN|DATABASE_URL/);
    for (const [, service] of services)
      for (const name of Object.keys(service.environment ?? {}))
        expect(name).not.toMatch(/PASSWORD|SECRET|_KEY|TOKEN/);
  });

  it("starts APIs and workers with the launcher's memory options of Node.js", () => {
    const options = NODE_OPTIONS.join(' ');
    expect(options).toMatch(/^--max-old-space-size=\d{3,4} /);
    for (const [name, { environment }] of services)
      expect([name, environment?.NODE_OPTIONS]).toEqual([
        name,
        name === 'worker' || name === 'api' ? options : undefined,
      ]);
    expect(read('helm/templates/roles.yaml')).toContain(`value: ${options}\n`);
    expect(read('../docs/operations.md')).toContain(`NODE_OPTIONS='${options}' npm start`);
  });

  it('has an example of every file of variables', () => {
    for (const file of new Set(services.flatMap(([, service]) => envFilesOf(service))))
      expect(existsSync(join(DOCKER, `${file}.example`))).toBe(true);
  });

  it('spreads requests over several APIs without publishing their ports', () => {
    const text = read('compose.scale-out.yaml');
    expect(
      parse(text, {
        merge: true,
        customTags: [{ tag: '!reset', collection: 'seq', resolve: (v: unknown) => v }],
      }),
    ).toMatchObject({
      services: { api: { deploy: { replicas: 2 }, ports: [] } },
    });
    expect(read('proxy/nginx.conf')).toContain('server api:3000 resolve');
    for (const service of ['proxy', 'pgbouncer', 'store', 'prometheus', 'grafana'])
      expect(Object.keys(scaleOut)).toContain(service);
  });
});

describe('the proxy', () => {
  const directives = read('proxy/nginx.conf');

  it('passes on the scheme that a proxy in front of it names', () => {
    expect(directives).toMatch(
      /map \$http_x_forwarded_proto \$client_scheme \{\s+default \$http_x_forwarded_proto;\s+'' +\$scheme;\s+\}/,
    );
    expect(directives.match(/X-Forwarded-Proto .*/g)).toEqual(['X-Forwarded-Proto $client_scheme;']);
  });

  it('passes on host and port as the browser sends them', () => {
    expect(directives).toContain('proxy_set_header Host $http_host;');
  });
});

describe('the image', () => {
  const lines = read('Dockerfile').split('\n');

  it('is built in stages from one pinned image, and does not run as root', () => {
    const stages = lines.filter((line) => line.startsWith('FROM '));
    expect(stages.length).toBeGreaterThan(2);
    for (const stage of stages) expect(stage).toMatch(/^FROM \$\{NODE_IMAGE\}( AS \w+)?$/);
    expect(lines.find((line) => line.startsWith('ARG NODE_IMAGE='))).toMatch(/=node:\d+\.\d+\.\d+-slim$/);
    const last = lines.slice(lines.lastIndexOf(stages.at(-1)!));
    expect(last).toContain('USER node');
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(last.indexOf('USER node')).toBeLessThan(last.findIndex((line) => line.startsWith('CMD ')));
  });

  it('leaves out everything that is not listed, and contains no file of variables', () => {
    const ignored = readFileSync(join(DOCKER, '../.dockerignore'), 'utf8').split('\n');
    expect(ignored[0]).toBe('*');
    expect(ignored).not.toContain('!docker');
  });
});

describe('the Helm chart', () => {
  /** Helm is not a dependency: directives are removed and values replaced, and the rest must be YAML. */
  const documents = readdirSync(join(DOCKER, 'helm/templates'))
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(
        read(`helm/templates/${file}`)
          .replace(/^\s*\{\{-.*\}\}\n/gm, '')
          .replace(/\{\{.*?\}\}/g, 'value'),
      ),
    )
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as { kind: string; spec: { template: { spec: PodSpec } } };
    })
    .filter(Boolean);

  interface PodSpec {
    securityContext: object;
    automountServiceAccountToken: boolean;
    containers: { securityContext: object; resources: { limits: object }; envFrom: object[] }[];
  }

  it('has a deployment for each role, a migration, a service and budgets', () => {
    expect(documents.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'Job',
      'PodDisruptionBudget',
      'Service',
    ]);
    const values = parse(read('helm/values.yaml')) as { roles: object; existingSecret: string };
    expect(Object.keys(values.roles)).toEqual(['api', 'worker', 'scheduler']);
    expect(JSON.stringify(values)).not.toMatch(/password|secret_access/i);
  });

  it.each(['Deployment', 'Job'])('a %s runs without rights and with limits', (kind) => {
    const pod = documents.find((document) => document.kind === kind)!.spec.template.spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const container of pod.containers)
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.anything() as unknown } },
      });
  });

  it('carries the version of the service', () => {
    const { version } = JSON.parse(readFileSync(join(DOCKER, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(parse(read('helm/Chart.yaml'))).toMatchObject({ appVersion: version });
    expect(parse(read('helm/values.yaml'))).toMatchObject({ image: { tag: version } });
    expect(base.api!.image).toContain(`:${version}}`);
  });
});
