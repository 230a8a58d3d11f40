import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bench } from './support/harness.js';
import { rounded } from './support/measure.js';
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
export function run(): Promise<RequestFigures> {
  return Bench.run(async (bench) => {
    const api = await bench.api(POSTS);
    const page = Buffer.from(await (await api.send('/posts?limit=50')).arrayBuffer());
    const bare = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(page);
    }).listen(0, '127.0.0.1');
    bench.atEnd(() => bare.close().closeAllConnections());
    const address = api.addressOf('/posts?limit=50');
    await requestRate(address, api.headers, 3);
    const cpuBefore = api.cpuSeconds();
    const service = await requestRate(address, api.headers, SECONDS);
    const cpuSeconds = api.cpuSeconds() - cpuBefore;
    const { port } = bare.address() as AddressInfo;
    const bareHttp = await requestRate(`http://127.0.0.1:${port}`, {}, SECONDS);
    const bareSql = await statementRate(bench.databaseUrl, selectNewestPosts(api.workspaceId), SECONDS);
    return {
      get_posts_per_second: Math.round(service),
      bare_http_per_second: Math.round(bareHttp),
      bare_sql_per_second: Math.round(bareSql),
      ratio_to_bare_http: rounded(service / bareHttp, 3),
      ratio_to_bare_sql: rounded(service / bareSql, 3),
      api_cpu_ms_per_request: rounded((cpuSeconds * 1_000) / (service * SECONDS)),
    };
  });
}
