import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { harnessWorkspace, WORKSPACE_FILE } from './harness.js';
import type { RunningService } from './service.js';

const STORED = { workspaceId: 'w', apiKey: 'rp_stored' };
const NEW = { workspaceId: 'n', apiKey: 'rp_new' };

describe('the workspace of npm start -- --json', () => {
  let folder: string;
  let api: Server;
  /** Simulates the API's response to requests with the stored key. */
  let status: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'harness-spec-'));
    api = createServer((_request, response) => void response.writeHead(status).end());
    await once(api.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    api.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['keeps its key', 200, STORED],
    ['keeps its key while the workspace is suspended', 403, STORED],
    ['keeps its key beyond its rate limit', 429, STORED],
    ['keeps its key while Redis is away', 503, STORED],
    ['gets a new workspace when the key is unknown', 401, NEW],
  ])('%s', async (_, answered, expected) => {
    status = answered;
    await writeFile(join(folder, WORKSPACE_FILE), JSON.stringify(STORED));
    const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const service = { apiUrl, createWorkspace: () => Promise.resolve(NEW) } as unknown as RunningService;
    expect(await harnessWorkspace(service, folder)).toEqual(expected);
    expect(JSON.parse(await readFile(join(folder, WORKSPACE_FILE), 'utf8'))).toEqual(expected);
  });
});
