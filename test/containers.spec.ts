import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseAllDocuments, parse } from 'yaml';
import type { DynamicModule, Type } from '@nestjs/common';
import { AppModule } from '../src/app.module.js';
import { type Role, ROLES } from '../src/config/roles.js';
import { PlatformModule } from '../src/platforms/platform.module.js';
import { parseEnvironment } from '../src/config/environment.js';
import { SECRET_VARIABLES } from '../src/config/secret-variables.js';
import { withoutToken } from '../src/http/request/request.js';
import { MEMORY_VARIABLES, NODE_OPTIONS } from '../src/launcher/programs.js';
import { type Container, document, DOCKER, read } from './support/compose.js';
import { temporaryFolder } from './support/temporary-folder.js';

const base = document('compose.yaml').services;
const scaleOut = document('compose.scale-out.yaml').services;
/** Names of the files of secrets that the compose files use. */
const secretFiles = (): string[] =>
  ['compose.yaml', 'compose.scale-out.yaml'].flatMap((file) =>
    Object.values(document(file).secrets).map(({ file: path }) => path.replace('secrets/', '')),
  );
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

/** Whether processes of a role connect to the sources: by jobs, by streams, or to find the target at an address. */
function readsSources(role: Role): boolean {
  const seen = new Set<unknown>();
  const visit = (module: Type | DynamicModule): void => {
    const own = 'module' in module ? module.module : module;
    if (seen.has(own)) return;
    seen.add(own);
    const dynamic = 'module' in module ? (module.imports ?? []) : [];
    const declared = (Reflect.getMetadata('imports', own) ?? []) as (Type | DynamicModule)[];
    for (const next of [...dynamic, ...declared]) visit(next as Type | DynamicModule);
  };
  visit(AppModule.for(parseEnvironment({ ROLES: role })));
  return seen.has(PlatformModule);
}

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

  it('gives each container only the secrets that it uses, as files', () => {
    const given = Object.fromEntries(services.map(([name, { secrets = [] }]) => [name, [...secrets].sort()]));
    const withData = ['database_url', 'encryption_key', 'redis_url', 'store_password', 'store_user'];
    expect(given).toEqual({
      migrate: ['database_url'],
      api: [
        ...withData,
        'admin_token',
        'database_request_url',
        'oidc_client_secret',
        'platform_client_secret',
      ].sort(),
      worker: [...withData, 'database_request_url', 'platform_client_secret', 'smtp_url'].sort(),
      scheduler: withData,
      postgres: ['owner_password', 'postgres_password', 'request_password'],
      redis: ['redis_password'],
      proxy: [],
      pgbouncer: ['owner_password', 'request_password'],
      'store-folder': [],
      store: ['store_password', 'store_user'],
      bucket: ['store_password', 'store_user'],
      prometheus: [],
      grafana: ['grafana_password'],
    });
    const files = secretFiles();
    for (const [name, { environment = {} }] of services)
      for (const [variable, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|_KEY|TOKEN|_URL/.test(variable)) {
          expect(variable).toMatch(/_FILE$/);
          expect(given[name]!.map((secret) => `/run/secrets/${secret}`)).toContain(value);
        }
    for (const secret of Object.values(given).flat()) expect(files).toContain(secret);
    for (const file of ['service.env.example', 'platform.env.example'])
      expect(read(file)).not.toMatch(/^\w*(PASSWORD|SECRET|_KEY|TOKEN|_URL)\w*=/m);
  });

  it('names only secret variables of the service as files', () => {
    for (const name of OF_THE_SERVICE)
      for (const variable of Object.keys(new Map(services).get(name)!.environment ?? {}))
        if (variable.endsWith('_FILE'))
          expect(SECRET_VARIABLES).toContain(variable.slice(0, -'_FILE'.length));
  });

  it('connects each container only to the servers that it uses', () => {
    const networks = (name: string): string[] => new Map(services).get(name)!.networks ?? [];
    const on = (network: string): string[] =>
      services
        .map(([name]) => name)
        .filter((name) => networks(name).includes(network))
        .sort();
    expect(on('database')).toEqual(['api', 'migrate', 'pgbouncer', 'postgres', 'scheduler', 'worker']);
    expect(on('queue')).toEqual(['api', 'redis', 'scheduler', 'worker']);
    expect(on('media')).toEqual(['api', 'bucket', 'scheduler', 'store', 'worker']);
    expect(on('monitoring')).toEqual(['api', 'grafana', 'prometheus', 'scheduler', 'worker']);
    expect(on('entrance')).toEqual(['api', 'proxy']);
    expect(on('outside')).toEqual(ROLES.filter(readsSources).sort());
    for (const role of ROLES) expect(base[role]!.networks!.includes('outside')).toBe(readsSources(role));
    const declared = { ...document('compose.yaml').networks, ...document('compose.scale-out.yaml').networks };
    for (const name of ['database', 'queue', 'media', 'monitoring'])
      expect(declared[name]).toMatchObject({ internal: true });
    for (const [name, { network_mode }] of services)
      expect([name, networks(name).length > 0 || network_mode === 'none']).toEqual([name, true]);
  });

  it('trusts the network of the proxy, and serves metrics on a port of their own', () => {
    const subnet = document('compose.yaml').networks.entrance!.ipam!.config[0]!.subnet;
    expect(base.api!.environment!.TRUSTED_PROXIES).toBe(subnet);
    const port = base.api!.environment!.METRICS_PORT;
    for (const name of ['api', 'worker', 'scheduler']) {
      expect(base[name]!.environment!.METRICS_PORT).toBe(port);
      expect(JSON.stringify(base[name]!.ports ?? [])).not.toContain(port);
    }
    expect(read('prometheus/prometheus.yml')).toContain(`port: ${port}\n`);
    expect(read('helm/templates/configuration.yaml')).toContain(`METRICS_PORT: '${port}'`);
  });

  it('creates logins of which none is a superuser', () => {
    const script = read('postgres/logins.sh');
    expect(script.match(/CREATE ROLE .*/g)).toEqual([
      'CREATE ROLE wss_workspace NOLOGIN;',
      "CREATE ROLE wss_owner LOGIN PASSWORD :'owner';",
      "CREATE ROLE wss_request LOGIN NOINHERIT PASSWORD :'request';",
    ]);
    expect(base.postgres!.volumes).toContain('./postgres/logins.sh:/docker-entrypoint-initdb.d/logins.sh:ro');
  });

  it('get secrets from a script that keeps what exists, in a folder of its user', async () => {
    const folder = await temporaryFolder();
    await copyFile(join(DOCKER, 'make-secrets.sh'), join(folder, 'make-secrets.sh'));
    const run = () => execFileSync('sh', [join(folder, 'make-secrets.sh')], { stdio: 'pipe' });
    const content = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');
    run();
    expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(secretFiles().sort());
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'secrets', 'redis_url')).mode & 0o777).toBe(0o444);
    const key = content('encryption_key');
    run();
    expect(content('encryption_key')).toBe(key);
    const secret = (variable: string, file: string) => ({
      [`${variable}_FILE`]: join(folder, 'secrets', file),
    });
    const environment = parseEnvironment({
      ...secret('DATABASE_URL', 'database_url'),
      ...secret('DATABASE_REQUEST_URL', 'database_request_url'),
      ...secret('REDIS_URL', 'redis_url'),
      ...secret('ENCRYPTION_KEY', 'encryption_key'),
      ...secret('ADMIN_TOKEN', 'admin_token'),
      ...secret('SMTP_URL', 'smtp_url'),
    });
    expect(environment.SMTP_URL).toBeUndefined();
    expect(new URL(environment.DATABASE_URL!).username).toBe('wss_owner');
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
    expect(read('../docs/cluster.md')).toContain(`NODE_OPTIONS='${options}' npm start`);
  });

  it("keeps freed memory with the launcher's variables", () => {
    const variables = Object.entries(MEMORY_VARIABLES).map(([name, value]) => `${name}=${value}`);
    expect(read('Dockerfile')).toContain(`\nENV ${variables.join(' ')}\n`);
  });

  it('has an example of every file of variables', () => {
    for (const file of new Set(services.flatMap(([, service]) => envFilesOf(service))))
      expect(existsSync(join(DOCKER, `${file}.example`))).toBe(true);
  });

  it('spreads requests over several APIs without publishing their ports', () => {
    expect(scaleOut.api).toMatchObject({ deploy: { replicas: 2 }, ports: [] });
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

  it('sends all requests of a workspace to one API, and spreads others', () => {
    expect(directives).toMatch(/upstream api \{\s+zone api 64k;\s+hash \$workspace consistent;/);
    const [, byId, current] =
      /map \$uri \$workspace \{\s+'~(.*)' \$workspace_id;\s+'~(.*)' \$http_x_api_key;\s+default \$request_id;/.exec(
        directives,
      )!;
    const idIn = (path: string) => new RegExp(byId!).exec(path)?.groups?.workspace_id;
    const ID = '0b6f1c1e-5d4a-4c2b-9a37-2f1d6f0c9e11';
    for (const path of [`/api/v1/workspaces/${ID}`, `/api/v1/workspaces/ws_${ID}/posts`])
      expect(idIn(path)).toBe(ID);
    expect(idIn('/api/v1/workspaces/current/posts')).toBeUndefined();
    expect('/api/v1/workspaces/current/posts').toMatch(new RegExp(current!));
    for (const path of ['/api/v1/sources', `/api/v1/admin/workspaces/${ID}`]) {
      expect(idIn(path)).toBeUndefined();
      expect(path).not.toMatch(new RegExp(current!));
    }
  });

  it('logs no token of a feed', () => {
    const [, pattern] = /map \$uri \$logged_uri \{\s+'~(.*?)' '\$before_token\*\*\*\$after_token';/.exec(
      directives,
    )!;
    for (const path of ['/feeds/secret.atom', '/feeds/secret', '/service/feeds/secret.rss']) {
      const { before_token: before, after_token: after } = new RegExp(pattern!).exec(path)!.groups!;
      expect(`${before}***${after}`).toBe(withoutToken(path));
    }
    expect('/api/v1/sources').not.toMatch(new RegExp(pattern!));
    expect(/log_format .*/.exec(directives)![0]).not.toMatch(/\$(uri|request|request_uri|args)\b/);
  });

  it('sends no request to a second process during which the first one hung or ended', () => {
    expect(directives.match(/proxy_next_upstream .*/g)).toEqual(['proxy_next_upstream http_503;']);
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

  it('contains the command line with all packages that it imports', async () => {
    const root = join(DOCKER, '..');
    const app = await temporaryFolder();
    execFileSync(process.execPath, [join(root, 'clients/typescript/build.mjs')], { stdio: 'pipe' });
    const copied = lines.flatMap(
      (line) => /^COPY --from=build \/app\/(\S+) (\.\/clients\S+)$/.exec(line) ?? [],
    );
    for (let at = 0; at < copied.length; at += 3)
      await cp(join(root, copied[at + 1]!), join(app, copied[at + 2]!), { recursive: true });
    const [, program] = /ln -s \/app(\S+) \/usr\/local\/bin\/wss/.exec(lines.join('\n'))!;
    expect(statSync(join(app, program!)).mode & 0o111).toBe(0o111);
    expect(execFileSync(process.execPath, [join(app, program!), '--help'], { encoding: 'utf8' })).toContain(
      'wss COMMAND',
    );
  });

  it('contains an SBOM, and is built with provenance', () => {
    expect(lines.join('\n')).toMatch(/npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json/);
    expect(lines).toContain('COPY --from=dependencies /app/sbom.cdx.json ./sbom.cdx.json');
    expect(read('build-image.sh')).toContain('--sbom=true --provenance=mode=max');
  });

  it('has its packages listed as CycloneDX by a command', async () => {
    const folder = await temporaryFolder();
    execFileSync(process.execPath, [join(DOCKER, '../scripts/sbom.mjs'), folder], { stdio: 'pipe' });
    const componentsOf = (name: string): string[] => {
      const text = readFileSync(join(folder, `${name}.cdx.json`), 'utf8');
      const bom = JSON.parse(text) as { bomFormat: string; components: { name: string }[] };
      expect(bom.bomFormat).toBe('CycloneDX');
      return bom.components.map((component) => component.name);
    };
    const installed = (project: string): string[] => {
      const lock = readFileSync(join(DOCKER, '..', project, 'package-lock.json'), 'utf8');
      const { packages } = JSON.parse(lock) as { packages: Record<string, { dev?: boolean }> };
      const paths = Object.keys(packages).filter((path) => path !== '' && packages[path]!.dev !== true);
      return paths.map((path) => path.replace(/^.*node_modules\//, ''));
    };
    expect(new Set(componentsOf('service'))).toEqual(new Set(installed('.')));
    expect(componentsOf('service')).not.toContain('jest');
    expect(new Set(componentsOf('dashboard'))).toEqual(new Set(installed('web')));
  });

  it('and all others get their digests from a script that keeps other settings', async () => {
    const folder = await temporaryFolder();
    for (const name of ['pin-images.sh', 'compose.yaml', 'compose.scale-out.yaml'])
      await copyFile(join(DOCKER, name), join(folder, name));
    writeFileSync(join(folder, 'docker'), '#!/bin/sh\necho sha256:ab', { mode: 0o755 });
    const kept = ['ADMIN_TOKEN=secret', 'SERVICE_IMAGE=own:2.0.0'];
    writeFileSync(join(folder, '.env'), ['REDIS_IMAGE=old', ...kept].join('\n'));
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    const printed = execFileSync(join(folder, 'pin-images.sh'), { env, encoding: 'utf8' });
    expect(printed).not.toContain('secret');
    const written = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
    const images = services.map(([, { image }]) => /^\$\{(\w+):-(.+)\}$/.exec(image!)!.slice(1).join(' '));
    const others = new Set([...images, nodeImage()].filter((image) => !image.startsWith('SERVICE_IMAGE ')));
    const pinned = [...others].map((image) => `${image.replace(' ', '=')}@sha256:ab`);
    expect(written.sort()).toEqual([...kept, ...pinned].sort());
  });

  const nodeImage = (): string =>
    lines.find((line) => line.startsWith('ARG NODE_IMAGE='))!.replace('ARG NODE_IMAGE=', 'NODE_IMAGE ');
});

describe('the Helm chart', () => {
  /** Helm is not a dependency: directives are removed and values replaced, and the rest must be YAML. */
  const documents = readdirSync(join(DOCKER, 'helm/templates'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(
        read(`helm/templates/${file}`)
          // Included labels and values are objects or lists, of which one member stands for all.
          .replace(
            /^( *)\{\{- (?:include|toYaml) .*\| nindent (\d+) \}\}$/gm,
            (text, _indent, depth: string) =>
              ' '.repeat(Number(depth)) + (text.includes('From') ? '- podSelector: {}' : memberOf(text)),
          )
          .replace(/^\s*\{\{-.*\}\}\n/gm, '')
          .replace(/\{\{.*?\}\}/g, 'value'),
      ),
    )
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    })
    .filter(Boolean);
  const ofKind = (kind: string): Manifest[] => documents.filter((document) => document.kind === kind);
  const values = parse(read('helm/values.yaml')) as Values;
  const schema = JSON.parse(read('helm/values.schema.json')) as object;

  /** Standard labels stand for those that the helper returns. */
  function memberOf(text: string): string {
    return text.includes('abels') ? 'app.kubernetes.io/name: value' : 'value: value';
  }

  interface PodSpec {
    serviceAccountName?: string;
    securityContext: object;
    automountServiceAccountToken: boolean;
    containers: {
      securityContext: object;
      resources: { limits: object };
      envFrom: object[];
      ports: { name: string }[];
    }[];
    volumes: object[];
  }
  interface Manifest {
    kind: string;
    metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
    spec: PodSpec & { template: { spec: PodSpec }; policyTypes: string[]; ports: { name: string }[] };
  }
  interface Values {
    roles: Record<string, { secrets: string[]; autoscaling: object }>;
    networkPolicy: { enabled: boolean };
  }

  it('has a deployment for each role, a migration, a service, budgets and a way in', () => {
    expect(documents.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'NetworkPolicy',
      'NetworkPolicy',
      'Pod',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
    expect(Object.keys(values.roles)).toEqual(['api', 'worker', 'scheduler']);
    for (const { kind, metadata } of documents)
      expect([kind, metadata.labels['app.kubernetes.io/name']]).toEqual([kind, 'value']);
    for (const label of ['name', 'instance', 'version', 'managed-by'])
      expect(read('helm/templates/_helpers.tpl')).toContain(`app.kubernetes.io/${label}: `);
    expect(read('helm/templates/_helpers.tpl')).toContain('helm.sh/chart: ');
    expect(ofKind('Pod')[0]!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' });
    expect(read('helm/templates/NOTES.txt')).toContain('dist/src/cli/workspace.js create');
  });

  it('gives each role only its secrets, as files', () => {
    for (const { secrets } of Object.values(values.roles))
      for (const name of secrets) expect(SECRET_VARIABLES).toContain(name);
    expect(
      Object.entries(values.roles).filter(([, { secrets }]) => secrets.includes('ADMIN_TOKEN')),
    ).toHaveLength(1);
    expect(values.roles.scheduler!.secrets).not.toContain('DATABASE_REQUEST_URL');
    expect(JSON.stringify(documents)).not.toContain('secretRef');
    expect(ofKind('Deployment')[0]!.spec.template.spec.volumes).toContainEqual(
      expect.objectContaining({ name: 'secrets' }),
    );
  });

  it('lets requests reach only the API, and only Prometheus the metrics', () => {
    expect(values.networkPolicy.enabled).toBe(true);
    expect(ofKind('NetworkPolicy').map(({ spec }) => spec.policyTypes)).toEqual([
      ['Ingress'],
      ['Ingress'],
      ['Egress'],
    ]);
    expect(ofKind('Service')[0]!.spec.ports.map(({ name }) => name)).toEqual(['http']);
    const [container] = ofKind('Deployment')[0]!.spec.template.spec.containers;
    expect(container!.ports.map(({ name }) => name)).toEqual(['http', 'metrics']);
  });

  it('has values that its schema accepts, and refuses others', () => {
    const validate = new Ajv({ allErrors: true }).compile(schema);
    expect([validate(values), validate.errors]).toEqual([true, null]);
    expect(validate({ ...values, replicaCount: 2 })).toBe(false);
    expect(validate({ ...values, image: { repository: 'a', tag: 1 } })).toBe(false);
    const { api } = values.roles;
    const withAll = { ...api, secrets: SECRET_VARIABLES };
    expect(validate({ ...values, roles: { ...values.roles, api: withAll } })).toBe(true);
    expect(validate({ ...values, roles: { ...values.roles, api: { ...api, secrets: ['PASSWORD'] } } })).toBe(
      false,
    );
  });

  it.each(['Deployment', 'Job'])('a %s runs without rights and with limits', (kind) => {
    const pod = ofKind(kind)[0]!.spec.template.spec;
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
