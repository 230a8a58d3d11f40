import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBenchApi } from './support/api.js';
import { requestRate, selectNewestPosts, statementRate } from './support/rates.js';

const POSTS = 10_000;
const SECONDS = 8;

export interface RequestFigures {
  get_posts_per_second: number;
  bare_http_per_second: number;
  bare_sql_per_second: number;
  /** Relative to the bare Node server that sends the same bytes. */
  ratio_to_bare_http: number;
  /** Relative to the page's query alone, on as many connections as the service has. */
  ratio_to_bare_sql: number;
  /** Processor time of the API's process, unaffected by other programs on the machine. */
  api_cpu_ms_per_request: number;
}

/** GET /posts compared with a bare Node server that sends the same bytes, and with its SQL alone, in one run. */
export async function run(): Promise<RequestFigures> {
  const api = await startBenchApi(POSTS);
  try {
    const address = `${api.url}/api/v1/workspaces/${api.workspaceId}/posts?limit=50`;
    const page = Buffer.from(await (await fetch(address, { headers: api.headers })).arrayBuffer());
    await requestRate(address, api.headers, 3);
    const cpuBefore = api.cpuSeconds();
    const service = await requestRate(address, api.headers, SECONDS);
    const cpuSeconds = api.cpuSeconds() - cpuBefore;
    const bareHttp = await bareHttpRate(page);
    const bareSql = await statementRate(api.databaseUrl, selectNewestPosts(api.workspaceId), SECONDS);
    return {
      get_posts_per_second: Math.round(service),
      bare_http_per_second: Math.round(bareHttp),
      bare_sql_per_second: Math.round(bareSql),
      ratio_to_bare_http: Number((service / bareHttp).toFixed(3)),
      ratio_to_bare_sql: Number((service / bareSql).toFixed(3)),
      api_cpu_ms_per_request: Number(((cpuSeconds * 1_000) / (service * SECONDS)).toFixed(2)),
    };
  } finally {
    await api.stop();
  }
}

async function bareHttpRate(page: Buffer): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await requestRate(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, SECONDS);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
