import { jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { DependencyUnavailableError } from '../../common/dependency-unavailable.js';
import { createLogger, logRequests, PinoLoggerService } from './logging.js';
import { openRequestScope } from '../request/request-scope.js';

/** A stream that collects the lines written to it. */
function collectLines(): { lines: string[]; stream: Writable } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().trim().split('\n'));
      done();
    },
  });
  return { lines, stream };
}

/** Returns the lines logged for one request answered with `status`; `serve` runs while the request is handled. */
async function linesOf(
  path: string,
  status: number,
  headers: Record<string, string> = {},
  serve: (service: PinoLoggerService) => Promise<void> | void = () => undefined,
): Promise<string[]> {
  const { lines, stream } = collectLines();
  const logger = createLogger('info', stream);
  const log = logRequests(logger);
  const server = createServer((request: IncomingMessage & { id?: unknown }, response) => {
    request.id = 'request-1';
    const answer = async (): Promise<void> => {
      await serve(new PinoLoggerService(logger));
      response.statusCode = status;
      response.end();
    };
    log(request, response, () => openRequestScope(request, response, () => void answer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
  server.close();
  await once(server, 'close');
  return lines;
}

describe('the request log', () => {
  it('writes short sentences to a terminal', () => {
    const { lines, stream } = collectLines();
    createLogger('info', Object.assign(stream, { isTTY: true })).info({ posts: 3 }, 'job ended');
    expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d job ended posts=3$/)]);
  });

  it('is one line that has every field once', async () => {
    const lines = await linesOf('/api/things', 201);
    expect(lines).toHaveLength(1);
    const keys = [...lines[0]!.matchAll(/"(\w+)":/g)].map(([, key]) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      requestId: 'request-1',
      method: 'GET',
      path: '/api/things',
      status: 201,
      durationMs: expect.any(Number) as number,
      msg: 'request completed',
    });
  });

  it('contains neither headers nor the query', async () => {
    const lines = await linesOf('/api/things?token=querysecret', 200, {
      'X-API-Key': 'rp_headersecret',
      Cookie: 'session=cookiesecret',
    });
    expect(lines.join()).not.toMatch(/secret/);
  });

  it.each([
    [499, { level: 30, msg: 'request completed' }],
    [500, { level: 50, msg: 'request failed' }],
    [503, { level: 30, msg: 'request completed' }],
  ])('for status %i is %o', async (status, expected) => {
    const [line] = await linesOf('/api/things', status);
    expect(JSON.parse(line!)).toMatchObject(expected);
  });

  it('omits probes', async () => {
    expect(await linesOf('/health/live', 200)).toEqual([]);
  });

  it('adds the request id to lines written while the request is handled', async () => {
    const [line] = await linesOf('/api/things', 200, {}, async (service) => {
      await Promise.resolve();
      service.warn({ jobId: 'job-1' }, 'heartbeat failed', 'Lease');
    });
    expect(JSON.parse(line!)).toMatchObject({
      requestId: 'request-1',
      jobId: 'job-1',
      context: 'Lease',
      msg: 'heartbeat failed',
    });
  });
});

describe("Nest's logger on pino", () => {
  it.each<[string, unknown[], Record<string, unknown>]>([
    ['a text', ['started', 'Main'], { msg: 'started', context: 'Main' }],
    ['fields and a message', [{ a: 1 }, 'done', 'Main'], { a: 1, msg: 'done', context: 'Main' }],
    ['fields alone', [{ a: 1, msg: 'done' }, 'Main'], { a: 1, msg: 'done', context: 'Main' }],
    ['an error', [new Error('broken'), 'Main'], { msg: 'broken', context: 'Main' }],
    ['a text with its stack', ['broken', 'at x.ts:1', 'Main'], { msg: 'broken', stack: 'at x.ts:1' }],
  ])('writes %s', (_, [message, ...rest], expected) => {
    const { lines, stream } = collectLines();
    new PinoLoggerService(createLogger('info', stream)).error(message, ...rest);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 50, ...expected });
  });

  it('reads no field of a line below its level', () => {
    const { lines, stream } = collectLines();
    const read = jest.fn();
    const fields = {
      get status(): unknown {
        return read();
      },
    };
    new PinoLoggerService(createLogger('warn', stream)).log(fields, 'Main');
    expect(lines).toEqual([]);
    expect(read).not.toHaveBeenCalled();
  });

  it('writes one line at the beginning of an outage and one at its end', () => {
    jest.useFakeTimers();
    try {
      const { lines, stream } = collectLines();
      const service = new PinoLoggerService(createLogger('info', stream));
      const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      const cancelled = Object.assign(new Error('cancelled'), { code: '57014' });
      for (let second = 0; second < 30; second += 1) {
        service.error({ err: refused }, 'request failed', 'ProblemResponse');
        service.warn(
          { err: new DependencyUnavailableError('Redis', { cause: refused }) },
          'claim failed',
          'Jobs',
        );
        jest.advanceTimersByTime(1_000);
      }
      service.error({ err: cancelled }, 'request failed', 'ProblemResponse');
      jest.advanceTimersByTime(10_000);
      service.error({ err: refused }, 'request failed', 'ProblemResponse');
      expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
        { msg: 'request failed', err: { message: 'refused' } },
        { msg: 'request failed', err: { message: 'cancelled' } },
        { msg: 'servers available again', seconds: 29, linesLeftOut: 59 },
        { msg: 'request failed', err: { message: 'refused' } },
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  it("omits the framework's lines about its own setup", () => {
    const { lines, stream } = collectLines();
    new PinoLoggerService(createLogger('info', stream)).log(
      'AppModule dependencies initialized',
      'InstanceLoader',
    );
    expect(lines).toEqual([]);
  });
});
