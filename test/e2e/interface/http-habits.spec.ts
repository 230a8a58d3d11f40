import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication } from '../../support/application.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const service = await startTestApplication({ API_RATE_LIMIT_PER_MINUTE: '1000' });
const workspace = await service.createWorkspace();

describe('the habits of HTTP', () => {
  beforeAll(async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: 25 }, (_, number) => aPost(number)),
    );
  });

  /** Sends a request without the headers that `fetch` adds. */
  const request = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      get(`${service.url}${path}`, { headers: { 'X-API-Key': workspace.apiKey, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      }).on('error', reject);
    });

  it('states the limit of the key in both forms', async () => {
    const { headers } = await request(workspace.path('/posts'));
    expect(headers['ratelimit-policy']).toBe('"key";q=1000;w=60');
    expect(headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/);
    expect(headers['ratelimit-limit']).toBe('1000');
  });

  it.each([
    ['/posts?limit=10', 3],
    ['/comments?limit=10', 1],
    ['/jobs?limit=10', 1],
  ])('links %s to its next page', async (list, pages) => {
    let path: string | undefined = workspace.path(list);
    const seen: unknown[] = [];
    let count = 0;
    while (path !== undefined) {
      const { headers, body } = await request(path);
      seen.push(...(Object.values(JSON.parse(body.toString()) as object).find(Array.isArray) as unknown[]));
      count += 1;
      path = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    }
    expect(count).toBe(pages);
    expect(new Set(seen.map((row) => JSON.stringify(row))).size).toBe(seen.length);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('compresses a page as %s', async (encoding, decompress) => {
    const plain = await request(workspace.path('/posts'));
    const { headers, body } = await request(workspace.path('/posts'), { 'Accept-Encoding': encoding });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(decompress(body)).toEqual(plain.body);
    expect(body.length).toBeLessThan(plain.body.length / 2);
    expect(headers.etag).toBe(plain.headers.etag);
  });

  it('answers 304 to the tag of a compressed page', async () => {
    const accept = { 'Accept-Encoding': 'br' };
    const { headers } = await request(workspace.path('/posts'), accept);
    const again = await request(workspace.path('/posts'), { ...accept, 'If-None-Match': headers.etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('does not compress small bodies', async () => {
    const { headers } = await request(workspace.path('/jobs'), { 'Accept-Encoding': 'br, gzip' });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it.each([
    ['/robots.txt', /Disallow: \/\n/],
    ['/llms.txt', /\/docs-json/],
    ['/.well-known/security.txt', /^Contact: mailto:security@example\.org\nExpires: 20\d\d-/],
  ])('serves %s to everybody', async (path, text) => {
    const { status, body } = await request(path, { 'X-API-Key': '' });
    expect([status, body.toString()]).toEqual([200, expect.stringMatching(text)]);
  });
});
