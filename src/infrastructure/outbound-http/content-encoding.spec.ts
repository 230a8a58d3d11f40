import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { decodedBody } from './content-encoding.js';
import { OutboundHttpClient } from './outbound-http-client.js';

const TEXT = '{"topics":["grüße"]}'.repeat(100);
const encode: Record<string, (text: string) => Buffer> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  GZIP: gzipSync,
  'deflate, gzip': (text) => gzipSync(deflateSync(text)),
  identity: Buffer.from,
  '': Buffer.from,
};

describe('a body that a server compresses unasked', () => {
  let server: Server;
  let client: OutboundHttpClient;
  let answer: { status?: number; encoding: string; body: Buffer };

  beforeEach(async () => {
    server = createServer((_request, response) =>
      response.writeHead(answer.status ?? 200, { 'content-encoding': answer.encoding }).end(answer.body),
    );
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    client = new OutboundHttpClient(['127.0.0.0/8']);
  });
  afterEach(async () => {
    client.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const get = (maxBytes = 100_000) =>
    client.request({ method: 'GET', url: url(), timeoutMs: 5_000, maxBytes });
  const download = (maxBytes = 100_000) => {
    const sink = new PassThrough();
    const done = client.download(url(), () => sink, { timeoutMs: 5_000, maxBytes });
    const read = sink.toArray().catch(() => []);
    return done.then(async () => Buffer.concat((await read) as Buffer[]).toString());
  };

  it.each(Object.keys(encode))('in "%s" is read and downloaded as it was', async (encoding) => {
    answer = { encoding, body: encode[encoding]!(TEXT) };
    expect((await get()).body.toString()).toBe(TEXT);
    expect(await download()).toBe(TEXT);
  });

  it.each(Object.keys(encode))('in "%s" may be empty', async (encoding) => {
    answer = { encoding, body: Buffer.alloc(0) };
    expect((await get()).body).toHaveLength(0);
    answer.status = 204;
    expect(await get()).toMatchObject({ status: 204, body: { length: 0 } });
  });

  it.each([
    ['in chunks of a byte', 1],
    ['at once', 100_000],
  ])('as deflate without a header is read %s', async (_name, size) => {
    const body = deflateRawSync(TEXT);
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
      body.subarray(at * size, (at + 1) * size),
    );
    const response = Object.assign(Readable.from(chunks), { headers: { 'content-encoding': 'deflate' } });
    expect((await buffer(decodedBody(response as unknown as IncomingMessage))).toString()).toBe(TEXT);
  });

  it('stays as it is in an unknown encoding', async () => {
    answer = { encoding: 'aws-chunked', body: Buffer.from(TEXT) };
    expect((await get()).body.toString()).toBe(TEXT);
  });

  it.each(['gzip', 'br'])('is an error when it is not in %s', async (encoding) => {
    answer = { encoding, body: Buffer.from(TEXT) };
    await expect(get()).rejects.toMatchObject({ code: 'bad_answer' });
    await expect(download()).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('is read no further than the limit, which counts what it becomes', async () => {
    answer = { encoding: 'gzip', body: gzipSync(Buffer.alloc(50_000_000)) };
    expect(await get(1_000)).toMatchObject({ truncated: true, body: { length: 1_000 } });
    await expect(download(1_000)).rejects.toMatchObject({ code: 'too_large' });
  });
});
