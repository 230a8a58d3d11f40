import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { POST_FIELDS } from '../../src/content/posts/dto/post.dto.js';
import type { Sql } from '../../src/database/sql.js';
import type { BenchApi } from './support/api.js';
import { Bench } from './support/harness.js';
import { inTurns, median, rounded } from './support/measure.js';
import { numbersOf } from './support/options.js';
import { query } from './support/query.js';
import { CONNECTIONS, requestRate, selectNewestPosts, statementRate } from './support/rates.js';

const SECONDS = 4;
const ROUNDS = 3;

/**
 * GET /posts and GET /posts/{post_id} in a closed loop, compared with a bare Node server that sends the same bytes, with
 * a bare Express handler that runs the same statement, and with the statement alone. Argument: `[--posts N]`.
 */
export async function run(args: string[] = []): Promise<object> {
  const { posts } = numbersOf(args, { posts: 10_000 });
  return Bench.run(async (bench) => {
    const api = await bench.api(posts);
    const [post] = await query<{ id: string }>(bench.databaseUrl, 'SELECT min(id) AS id FROM posts');
    return {
      page_of_50: await compare(bench, api, '/posts?limit=50', selectNewestPosts(api.workspaceId)),
      single_post: await compare(bench, api, `/posts/${post!.id}`, {
        text: `SELECT ${POST_FIELDS.join(', ')} FROM posts WHERE workspace_id = $1 AND id = $2`,
        parameters: [api.workspaceId, post!.id],
      }),
    };
  });
}

async function compare(bench: Bench, api: BenchApi, path: string, sql: Sql): Promise<object> {
  const bytes = Buffer.from(await (await api.send(path)).arrayBuffer());
  const http = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(bytes);
  }).listen(0, '127.0.0.1');
  bench.atEnd(() => http.close().closeAllConnections());
  const express = fork(join(import.meta.dirname, 'support/bare-express.js'), {
    env: {
      ...process.env,
      DATABASE_URL: bench.databaseUrl,
      BARE_STATEMENT: JSON.stringify(sql),
      BARE_CONNECTIONS: String(CONNECTIONS),
      NODE_ENV: 'production',
    },
  });
  bench.atEnd(() => express.kill());
  const [{ port }] = (await once(express, 'message', { signal: AbortSignal.timeout(30_000) })) as [
    { port: number },
  ];
  const bare = (at: number) => requestRate(`http://127.0.0.1:${at}`, {}, SECONDS);
  const cpuMs: number[] = [];
  const rates = await inTurns(
    ROUNDS,
    {
      own: async () => {
        const before = api.cpuSeconds();
        const rate = await requestRate(api.addressOf(path), api.headers, SECONDS);
        cpuMs.push(((api.cpuSeconds() - before) * 1_000) / (rate * SECONDS));
        return rate;
      },
      http: () => bare((http.address() as AddressInfo).port),
      express: () => bare(port),
      sql: () => statementRate(bench.databaseUrl, sql, SECONDS),
    },
    1,
  );
  const rate = (kind: keyof typeof rates): number => median(rates[kind]);
  return {
    requests_per_second: Math.round(rate('own')),
    bare_http_per_second: Math.round(rate('http')),
    bare_express_per_second: Math.round(rate('express')),
    bare_sql_per_second: Math.round(rate('sql')),
    ratio_to_bare_http: rounded(rate('own') / rate('http'), 3),
    ratio_to_bare_express: rounded(rate('own') / rate('express'), 3),
    ratio_to_bare_sql: rounded(rate('own') / rate('sql'), 3),
    // Processor time of the API's process, unaffected by other programs on the machine.
    api_cpu_ms_per_request: rounded(median(cpuMs.slice(1))),
  };
}
