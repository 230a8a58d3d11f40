import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { harnessWorkspace, WORKSPACE_FILE } from './harness.js';
import type { RunningService } from './service.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const STORED = { workspaceId: 'w', apiKey: 'rp_stored' };
const NEW = { workspaceId: 'n', apiKey: 'rp_new' };

const folder = await temporaryFolder();

describe('the workspace of npm start -- --json', () => {
  let api: Server;
  /** Simulates the API's response to requests with the stored key. */
  let status: number;
  beforeAll(async () => {
    api = createServer((_request, response) => void response.writeHead(status).end());
    await once(api.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    api.close();
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
