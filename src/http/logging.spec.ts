import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { type Options, pinoHttp } from 'pino-http';
import { loggingOptions } from './logging.js';

/** The lines that one request leaves behind when it is answered with `status`. */
async function linesOf(
  path: string,
  status: number,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().trim().split('\n'));
      done();
    },
  });
  const log = pinoHttp(loggingOptions('info').pinoHttp as Options, stream);
  const server = createServer((request, response) => {
    log(request, response);
    response.statusCode = status;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
  server.close();
  await once(server, 'close');
  return lines;
}

describe('the request log', () => {
  it('is one line whose every field stands once', async () => {
    const lines = await linesOf('/api/things', 201);
    expect(lines).toHaveLength(1);
    const keys = [...lines[0]!.matchAll(/"(\w+)":/g)].map(([, key]) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      method: 'GET',
      path: '/api/things',
      status: 201,
      responseTime: expect.any(Number) as number,
      msg: 'request',
    });
  });

  it('holds neither headers nor the query', async () => {
    const lines = await linesOf('/api/things?token=querysecret', 200, {
      'X-API-Key': 'rp_headersecret',
      Cookie: 'session=cookiesecret',
    });
    expect(lines.join()).not.toMatch(/secret/);
  });

  it('tells a failure with its error', async () => {
    const [line] = await linesOf('/api/things', 503);
    expect(JSON.parse(line!)).toMatchObject({ level: 50, status: 503, msg: 'request failed' });
    expect(line).toContain('"err":');
  });

  it('leaves probes out', async () => {
    expect(await linesOf('/health/live', 200)).toEqual([]);
  });
});
