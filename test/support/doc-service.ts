import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocBlock } from './doc-blocks.js';
import { startFromCommand, type StartedService } from './started-service.js';

/** A running service for the blocks of the documentation. */
export interface DocService {
  service: StartedService;
  /** Temporary folder of the tests; the Postgres user can traverse it. */
  folder: string;
  /** `DATA_DIR` of the service. */
  dataDir: string;
  /** Addresses of the service's Postgres and Redis. */
  servers: { databaseUrl: string; redisUrl: string };
  /** A workspace whose data a block may delete. */
  emptied: string;
  /** A new folder below {@link folder}. */
  newFolder(name: string): Promise<string>;
  /** The block with the page's addresses, ids and keys replaced by those of the service. */
  filledIn(block: DocBlock): string;
  end(): Promise<void>;
}

/** Starts a service with a workspace that has the posts of one scrape. */
export async function startDocService(): Promise<DocService> {
  const folder = await mkdtemp(join(tmpdir(), 'doc-blocks-'));
  await chmod(folder, 0o711);
  const service = await startFromCommand(['--json', '--ephemeral'], { TMPDIR: folder });
  const { base_url, platform_url, workspace_id, api_key, admin_token } = service.line;
  const dataDir = join(
    folder,
    (await readdir(folder)).find((name) => name.startsWith('workspace-scraping-'))!,
  );
  const servers = JSON.parse(await readFile(join(dataDir, 'servers.json'), 'utf8')) as DocService['servers'];

  const call = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(`${base_url}/api/v1${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const jobs = `/workspaces/${workspace_id}/jobs`;
  const key = { 'X-API-Key': api_key };
  let job = await call('POST', jobs, key, { target: 'technology', limit: 20 });
  while (job.status === 'pending' || job.status === 'running')
    job = await call('GET', `${jobs}/${String(job.id)}`, key);
  const search = await call('POST', `/workspaces/${workspace_id}/searches`, key, {
    name: 'Of a block',
    q: 'battery',
  });
  const admin = { Authorization: `Bearer ${admin_token}` };
  const created = await call('POST', '/admin/workspaces', admin, { name: 'Emptied by a block' });

  return {
    ...{ service, folder, dataDir, servers, emptied: String(created.workspace_id) },
    newFolder: async (name) => {
      const path = await mkdtemp(join(folder, `${name}-`));
      await chmod(path, 0o711);
      return path;
    },
    filledIn: ({ text }) =>
      text
        .replaceAll('http://127.0.0.1:3000', base_url)
        .replaceAll('http://127.0.0.1:4010', platform_url)
        .replaceAll('WORKSPACE_ID', workspace_id)
        .replaceAll('JOB_ID', String(job.id))
        .replaceAll('SEARCH_ID', String(search.id))
        .replaceAll(/rp_(\.\.\.|…)/g, api_key)
        .replaceAll('ADMIN_TOKEN_VALUE', admin_token)
        .replaceAll('postgres://...', servers.databaseUrl)
        .replaceAll('redis://...', servers.redisUrl)
        .replaceAll('HOST=0.0.0.0', 'HOST=127.0.0.1')
        .replaceAll('--port 4010', '--port 0'),
    end: async () => {
      await service.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
