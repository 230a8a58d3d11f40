import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { aPost, type NewPost, storePosts } from '../../factories/posts.js';

import { MAX_STREAMED_ROWS } from '../../../src/takeout/exports/exports.service.js';
import { startTestApplication } from '../../support/application.js';
import { ContractClient } from '../../support/contract.js';
import { until } from '../../support/until.js';

/** In the interface's order, then what only files have. */
const POST_FIELDS = (
  'id workspace_id forum title author created_utc permalink url score upvote_ratio num_comments selftext post_type is_nsfw ' +
  'is_spoiler flair total_awards has_media media_urls sentiment_score sentiment_label keywords scraped_at language ' +
  'model_label sentiment_source'
).split(' ');

const APPLICATION_NAME = 'wss-export';
const STATEMENT_TIMEOUT_MS = 5_000;

const TRICKY: Partial<NewPost> = {
  title: '=HYPERLINK("https://evil.example","x")',
  author: '-dash',
  selftext: 'Says "hi",\r\nthen\nleaves',
  flair: '@home',
  url: null,
  score: -5,
  mediaUrls: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
  keywords: ['fast charging', 'battery'],
  createdUtc: new Date('2026-02-03T04:05:06.789Z'),
};

const service = await startTestApplication({
  QUOTA_RUNNING_EXPORTS: '3',
  DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
});
const workspace = await service.createWorkspace();
const large = await service.createWorkspace();
const client = new ContractClient(service, workspace.apiKey);

describe('GET /exports/posts', () => {
  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [aPost(1), aPost(2), aPost(3), aPost(4, TRICKY)]);
    await storePosts(
      service,
      large.workspaceId,
      Array.from({ length: MAX_STREAMED_ROWS + 5 }, (_, n) =>
        aPost(n, { selftext: 'charging '.repeat(400) }),
      ),
    );
  });

  it('may have 10,000 rows, as the interface says', () => {
    expect(MAX_STREAMED_ROWS).toBe(10_000);
  });

  const download = (query: Record<string, string> = {}) =>
    client.get(workspace.path('/exports/posts'), { query, headers: { 'Accept-Encoding': 'identity' } });

  /** Strictly by RFC 4180. */
  function parseCsv(text: string): string[][] {
    const rows: string[][] = [];
    let row: string[] = [];
    let rest = text;
    while (rest !== '') {
      const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
      if (cell === null) throw new Error(`not CSV: ${rest.slice(0, 80)}`);
      row.push(cell[1]?.replaceAll('""', '"') ?? cell[2]!);
      if (cell[3] === '\r\n') {
        rows.push(row);
        row = [];
      }
      rest = rest.slice(cell[0].length);
    }
    return rows;
  }

  it('returns RFC 4180 CSV by default, with a descriptive file name', async () => {
    const { status, headers, text } = await download();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="posts-\d{4}-\d\d-\d\d\.csv"$/);
    const [head, ...rows] = parseCsv(text);
    expect(head).toEqual(POST_FIELDS);
    expect(rows).toHaveLength(4);
    const tricky = Object.fromEntries(POST_FIELDS.map((field, index) => [field, rows[0]![index]]));
    expect(tricky).toMatchObject({
      id: 't3_000004',
      workspace_id: `ws_${workspace.workspaceId}`,
      title: `'=HYPERLINK("https://evil.example","x")`,
      author: "'-dash",
      selftext: 'Says "hi",\r\nthen\nleaves',
      flair: "'@home",
      url: '',
      score: '-5',
      is_nsfw: 'false',
      media_urls: 'https://a.example/1.jpg|https://a.example/2.jpg',
      keywords: 'fast charging|battery',
      created_utc: '2026-02-03T04:05:06.789Z',
    });
  });

  it.each(['=', '+', '-', '@', '\t', '\r'])('defuses a cell that begins with %j', async (sign) => {
    const flair = `${sign}1`;
    await storePosts(service, workspace.workspaceId, [aPost(3, { flair })]);
    const rows = parseCsv((await download({ forum: 'technology' })).text);
    expect(rows.map((row) => row[POST_FIELDS.indexOf('flair')])).toContain(`'${flair}`);
  });

  it('returns full records as JSON', async () => {
    const { headers, body } = await download({ format: 'json', forum: 'Technology' });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/posts-Technology-.*\.json"$/);
    const [first] = body as unknown as Record<string, unknown>[];
    expect(Object.keys(first!)).toEqual([...POST_FIELDS]);
    const { body: single } = await client.get(workspace.path(`/posts/${String(first!.id)}`));
    const { sentiment_label: model_label } = single as { sentiment_label: string };
    expect({ ...(single as object), language: 'en', model_label, sentiment_source: 'model' }).toEqual(first);
  });

  it('returns only a header or an empty array when nothing matches', async () => {
    const nothing = { forum: 'nobody_is_here' };
    expect(parseCsv((await download(nothing)).text)).toEqual([[...POST_FIELDS]]);
    expect((await download({ ...nothing, format: 'json' })).body).toEqual([]);
  });

  it('accepts the filters and orders of the list', async () => {
    const query = { sort_by: 'score', sort_order: 'asc', min_score: '0', max_score: '90', post_type: 'link' };
    const exported = (await download({ ...query, format: 'json' })).body as unknown as { id: string }[];
    const { body } = await client.get<{ posts: { id: string }[] }>(workspace.path('/posts'), { query });
    expect(exported.map(({ id }) => id)).toEqual(body.posts.map(({ id }) => id));
    expect(exported.length).toBeGreaterThan(0);
  });

  it.each([
    [{ format: 'xml' }, 'format'],
    [{ limit: '5' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ sort_by: 'relevance' }, 'sort_by'],
  ])('refuses %j', async (query, field) => {
    const { status, body } = await download(query);
    expect([status, body]).toMatchObject([400, { errors: [{ field }] }]);
  });

  it('ends at 10,000 posts', async () => {
    const { body } = await client.get(large.path('/exports/posts'), {
      key: large.apiKey,
      query: { format: 'json' },
    });
    expect(body).toHaveLength(MAX_STREAMED_ROWS);
  });

  it('compresses on request', async () => {
    const url = new URL(large.path('/exports/posts'), service.url);
    const request = get(url, { headers: { 'X-API-Key': large.apiKey, 'Accept-Encoding': 'gzip' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers['content-encoding']).toBe('gzip');
    // Keeps a cache from giving the compressed file to other clients.
    expect(response.headers.vary).toContain('Accept-Encoding');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const compressed = Buffer.concat(chunks);
    const rows = parseCsv(gunzipSync(compressed).toString());
    expect(rows).toHaveLength(MAX_STREAMED_ROWS + 1);
    expect(compressed.length).toBeLessThan(gunzipSync(compressed).length / 5);
  });

  describe('that is not read to its end', () => {
    const responses: IncomingMessage[] = [];
    afterEach(() => {
      for (const response of responses.splice(0)) response.destroy();
    });

    const running = async (): Promise<number> => {
      const [{ count }] = await sql<[{ count: number }]>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE application_name = $1 AND datname = current_database() AND state <> 'idle'`,
      );
      return count;
    };

    const sql = <T>(text: string) => service.app.get(DataSource).query<T>(text, [APPLICATION_NAME]);

    /** Response headers are read but bodies are not, so the cursors wait for the client and all slots are taken. */
    async function stall(): Promise<void> {
      const url = new URL(large.path('/exports/posts'), service.url);
      for (let n = 0; n < 3; n += 1) {
        const request = get(url, { headers: { 'X-API-Key': large.apiKey } });
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        response.on('error', () => undefined);
        responses.push(response);
      }
      await until(running, (count) => count === 3);
    }

    it('is a complete file for a client that pauses for longer than a statement may run', async () => {
      await stall();
      const [response] = responses;
      for (let age = 0; age < STATEMENT_TIMEOUT_MS + 1_000;)
        [{ age }] = await sql<[{ age: number }]>(
          `SELECT min(extract(epoch FROM clock_timestamp() - xact_start))::float8 * 1000 AS age, pg_sleep(0.1)
           FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() AND state <> 'idle'`,
        );
      const chunks: Buffer[] = [];
      for await (const chunk of response!) chunks.push(chunk as Buffer);
      expect(response!.complete).toBe(true);
      expect(parseCsv(Buffer.concat(chunks).toString())).toHaveLength(MAX_STREAMED_ROWS + 1);
    });

    it('counts against the quota of its workspace', async () => {
      await stall();
      const { status, headers, body } = await client.get<{ code: string }>(large.path('/exports/posts'), {
        key: large.apiKey,
      });
      expect([status, body.code]).toEqual([429, 'too_many_concurrent_requests']);
      expect(headers.get('retry-after')).toBe('1');
    });

    it('frees cursor and connection when its client disconnects', async () => {
      await stall();
      for (const response of responses) response.destroy();
      await until(running, (count) => count === 0);
      expect((await download()).status).toBe(200);
    });

    it('is aborted when its connection to Postgres is lost, and its slot is free again', async () => {
      await stall();
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = $1 AND datname = current_database()`,
      );
      for (const response of responses) {
        response.resume();
        await new Promise((resolve) => response.once('close', resolve));
        expect(response.complete).toBe(false);
      }
      expect((await download()).status).toBe(200);
    });
  });
});
