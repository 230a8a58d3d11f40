import { createHash, createHmac } from 'node:crypto';
import { EventEmitter, getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import { ScrapingClient, verifyWebhook } from '../clients/typescript/src/client.js';
import { retryAfterSeconds } from '../clients/typescript/src/errors.js';
import { readEvents, type ServerSentEvent } from '../clients/typescript/src/event-stream.js';
import { retryingFetch, wait } from '../clients/typescript/src/retry.js';
import { SIGNING_SECRETS } from './support/signing-secrets.js';

const NOW = 1_800_000_000_000;
const URL = 'http://127.0.0.1/';

describe('a repeated request of the client', () => {
  beforeEach(() => void jest.useFakeTimers({ now: NOW }));
  afterEach(() => void jest.useRealTimers());

  it('waits no longer than the maximum wait, whatever Retry-After says', async () => {
    const answers = [
      new Response('{}', { status: 503, headers: { 'Retry-After': '3600' } }),
      new Response('{}', { status: 200 }),
    ];
    const answer = retryingFetch(() => Promise.resolve(answers.shift()!), { maxWaitMs: 50 })(
      new Request(URL),
    );
    await jest.advanceTimersByTimeAsync(49);
    expect(answers).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect((await answer).status).toBe(200);
  });

  it('is sent up to the number of attempts', async () => {
    const cancelled: number[] = [];
    let sent = 0;
    const send = (): Promise<Response> => {
      const attempt = (sent += 1);
      const body = new ReadableStream({ cancel: () => void cancelled.push(attempt) });
      return Promise.resolve(new Response(body, { status: 502 }));
    };
    const answer = retryingFetch(send, { attempts: 3, maxWaitMs: 1 })(new Request(URL));
    await jest.advanceTimersByTimeAsync(10);
    expect([(await answer).status, sent, cancelled]).toEqual([502, 3, [1, 2]]);
  });

  it('is sent once when it may change something and its connection breaks', async () => {
    let sent = 0;
    const fail = (): Promise<Response> => {
      sent += 1;
      return Promise.reject(new Error('reset'));
    };
    await expect(retryingFetch(fail)(new Request(URL, { method: 'POST' }))).rejects.toThrow('reset');
    expect(sent).toBe(1);
    const stop = new AbortController();
    const aborted = new Request(URL, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(retryingFetch(fail)(aborted)).rejects.toThrow('reset');
    expect(sent).toBe(2);
  });

  it('ends its wait with the reason of its signal', async () => {
    const stop = new AbortController();
    const waiting = expect(wait(60_000, stop.signal)).rejects.toThrow('stopped');
    stop.abort(new Error('stopped'));
    await waiting;
    await expect(wait(0, stop.signal)).rejects.toThrow('stopped');
    const kept = new AbortController();
    const waited = wait(10, kept.signal);
    await jest.advanceTimersByTimeAsync(10);
    await waited;
    expect([jest.getTimerCount(), getEventListeners(kept.signal, 'abort')]).toEqual([0, []]);
  });

  it.each([
    ['7', 7],
    [new Date(NOW + 2_500).toUTCString(), 2],
    [new Date(NOW - 60_000).toUTCString(), 0],
    ['soon', null],
  ])('reads Retry-After %j as %j seconds', (value, seconds) => {
    expect(retryAfterSeconds(new Headers({ 'Retry-After': value }))).toBe(seconds);
  });
});

describe('the event stream of the client', () => {
  const BYTES = new TextEncoder().encode(
    'event: progress\r\nid: 7.1\r\ndata: {"a":"🔋é"}\r\n\r\n: comment\n\ndata:one\ndata: two\n\nevent: end\ndata: cut',
  );
  const EVENTS: ServerSentEvent[] = [
    { type: 'progress', id: '7.1', data: '{"a":"🔋é"}' },
    { type: 'message', data: '' },
    { type: 'message', data: 'one\ntwo' },
  ];

  it('gives the same events wherever its bytes are split', async () => {
    for (let at = 1; at < BYTES.length; at += 1) {
      const events: ServerSentEvent[] = [];
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(BYTES.subarray(0, at));
          controller.enqueue(BYTES.subarray(at));
          controller.close();
        },
      });
      for await (const event of readEvents(body)) events.push(event);
      expect(events).toEqual(EVENTS);
    }
  });

  it('is closed when its reader stops', async () => {
    let isClosed = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(BYTES),
      cancel: () => void (isClosed = true),
    });
    for await (const event of readEvents(body)) {
      expect(event.type).toBe('progress');
      break;
    }
    expect(isClosed).toBe(true);
  });
});

describe('the pages of the client', () => {
  const client = (answers: object[], asked: string[]): ScrapingClient =>
    new ScrapingClient({
      baseUrl: 'http://127.0.0.1',
      apiKey: 'rp_x',
      workspaceId: 'w',
      fetch: (request) => {
        asked.push(new globalThis.URL(request.url).search);
        return Promise.resolve(Response.json(answers.shift()));
      },
    });

  it('end with the limit of rows', async () => {
    const asked: string[] = [];
    const page = (...ids: string[]) => ({
      comments: ids.map((comment_id) => ({ comment_id })),
      has_more: true,
      cursor: 'next',
    });
    const ids: string[] = [];
    const comments = client([page('a', 'b'), page('c')], asked).eachComment({ limit: 3, page_size: 2 });
    for await (const { comment_id: id } of comments) ids.push(id);
    expect([ids, asked]).toEqual([
      ['a', 'b', 'c'],
      ['?limit=2&cursor=', '?limit=1&cursor=next'],
    ]);
  });

  it('have the size that the caller requests', async () => {
    const asked: string[] = [];
    const answers = [
      { posts: [{ id: 't3_a' }], has_more: true, cursor: 'next' },
      { posts: [], has_more: false, cursor: 'next' },
    ];
    const ids: string[] = [];
    for await (const { id } of client(answers, asked).eachPost({ page_size: 7 })) ids.push(id);
    expect([ids, asked]).toEqual([['t3_a'], ['?limit=7&cursor=', '?limit=7&cursor=next']]);
  });
});

describe('the paths of the client', () => {
  const asked: string[] = [];
  const client = new ScrapingClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: 'rp_x',
    workspaceId: 'w',
    fetch: (request) => {
      asked.push(new globalThis.URL(request.url).pathname.replace('/api/v1/workspaces/w', ''));
      return Promise.resolve(Response.json({}));
    },
  });

  it.each([
    ['a/../b', '/jobs/a%2F..%2Fb'],
    ['job ü?#', '/jobs/job%20%C3%BC%3F%23'],
  ])('keep the id %j in its place', async (id, path) => {
    await client.getJob(id);
    expect(asked.at(-1)).toBe(path);
  });

  it.each(['', '.', '..'])('refuse the id %j, which would lead elsewhere', async (id) => {
    await expect(async () => client.getJob(id)).rejects.toThrow('`job_id` must be an id');
  });
});

describe('an export of the client', () => {
  const PARTS = ['id,title\r\na,one\r\n', 'id,title\r\nb,two\r\n', 'id,title\r\nc,three\r\n'];
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

  interface Service {
    parts: string[];
    format: string;
    hashes: string[];
    canWrite: boolean;
    total: number;
  }

  /** A service with an export of these parts, of which a read key sees `total` rows. Records requests. */
  function clientOf({
    parts = PARTS,
    format = 'csv',
    hashes = parts.map(hashOf),
    canWrite = true,
    total = 0,
  }: Partial<Service>) {
    const asked: string[] = [];
    const record = {
      id: 'export_1',
      status: 'completed',
      format,
      parts: hashes.map((sha256) => ({ sha256 })),
    };
    const answers: Record<string, () => Response> = {
      'POST /exports': () =>
        canWrite
          ? Response.json({ ...record, status: 'pending', parts: [] }, { status: 201 })
          : Response.json({ code: 'insufficient_scope', detail: 'needs write' }, { status: 403 }),
      'GET /exports/export_1': () => Response.json(record),
      'GET /exports/posts': () => new Response(PARTS[0]),
      'GET /exports/comments': () => new Response(PARTS[0]),
      'GET /posts': () => Response.json({ posts: [], total }),
      'GET /comments': () => Response.json({ comments: [], total }),
    };
    parts.forEach((part, index) => {
      answers[`GET /exports/export_1/parts/${index + 1}`] = () => new Response(part === '' ? null : part);
    });
    const client = new ScrapingClient({
      baseUrl: 'http://127.0.0.1',
      apiKey: 'rp_x',
      workspaceId: 'w',
      fetch: async (request) => {
        const { pathname, search } = new globalThis.URL(request.url);
        const what = `${request.method} ${pathname.replace('/api/v1/workspaces/w', '')}`;
        asked.push(request.method === 'POST' ? `${what} ${await request.text()}` : what + search);
        return answers[what]!();
      },
    });
    return { client, asked };
  }

  function sinkOf() {
    let written = '';
    const sink = Object.assign(new EventEmitter(), {
      write: (chunk: Uint8Array, done: () => void): boolean => {
        written += Buffer.from(chunk).toString();
        done();
        return true;
      },
    });
    return { sink, read: () => written };
  }

  it('joins the parts of a CSV under one heading', async () => {
    const { client, asked } = clientOf({});
    const { sink, read } = sinkOf();
    const bytes = await client.exportTo(sink, { of: 'comments', author: 'ann', pseudonymize: true });
    expect(read()).toBe('id,title\r\na,one\r\nb,two\r\nc,three\r\n');
    expect(bytes).toBe(read().length);
    expect(JSON.parse(asked[0]!.replace('POST /exports ', ''))).toEqual({
      of: 'comments',
      format: 'csv',
      filters: { author: 'ann' },
      pseudonymize: true,
    });
    expect([sink.listenerCount('error'), sink.listenerCount('close')]).toEqual([0, 0]);
  });

  it('throws when a part differs from its checksum', async () => {
    const { client } = clientOf({ hashes: [hashOf(PARTS[0]!), hashOf('other'), hashOf(PARTS[2]!)] });
    await expect(client.exportTo(sinkOf().sink)).rejects.toThrow(
      'Part 2 of export_1 differs from its checksum',
    );
  });

  it('checks the parts in a browser, too', async () => {
    const getBuiltinModule = jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    try {
      const { sink, read } = sinkOf();
      await clientOf({}).client.exportTo(sink);
      expect(read()).toHaveLength(PARTS.join('').length - 2 * 'id,title\r\n'.length);
      const { client } = clientOf({ hashes: PARTS.map(() => hashOf('other')) });
      await expect(client.exportTo(sinkOf().sink)).rejects.toThrow('differs from its checksum');
    } finally {
      getBuiltinModule.mockRestore();
    }
  });

  it('refuses parts that no file can join before it writes', async () => {
    const { client } = clientOf({ format: 'parquet' });
    const { sink, read } = sinkOf();
    await expect(client.exportTo(sink, { format: 'parquet' })).rejects.toThrow('3 files');
    expect(read()).toBe('');
  });

  it('without rows is an empty file', async () => {
    const { sink, read } = sinkOf();
    expect(await clientOf({ parts: [''] }).client.exportTo(sink, { format: 'csv' })).toBe(0);
    expect(read()).toBe('');
  });

  it.each([
    ['with a key that may only read', { canWrite: false }, {}],
    ['in an order', {}, { sort_by: 'score' }],
  ] as const)('%s has at most 10,000 rows, and throws beyond', async (_case, service, query) => {
    const few = clientOf({ ...service, total: 10_000 });
    const { sink, read } = sinkOf();
    await few.client.exportTo(sink, { of: 'comments', author: 'ann', ...query });
    expect(read()).toBe(PARTS[0]);
    const order = 'sort_by' in query ? '&sort_by=score' : '';
    expect(few.asked.filter((one) => one.startsWith('GET'))).toEqual([
      'GET /comments?author=ann&limit=1',
      `GET /exports/comments?author=ann${order}`,
      'GET /comments?author=ann&limit=1',
    ]);
    const many = clientOf({ ...service, total: 10_001 });
    const unwritten = sinkOf();
    await expect(many.client.exportTo(unwritten.sink, query)).rejects.toThrow('10001 rows');
    expect(unwritten.read()).toBe('');
    await expect(many.client.exportTo(unwritten.sink, { ...query, label: 'x' })).rejects.toThrow(
      'scope write',
    );
  });
});

describe('a delivery that the client verifies', () => {
  const body = '{"id":"evt_1"}';
  const sign = (id: string, at: string, key = 's'): string =>
    createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  const now = (): string => String(Math.floor(Date.now() / 1_000));
  const headersOf = (at: string, signature: string): Record<string, string | string[]> => ({
    'webhook-id': 'dlv_1',
    'webhook-timestamp': at,
    'webhook-signature': signature,
  });

  const signedAt = (at: number): [at: string, signature: string] => [
    String(at),
    `v1,AAAA v1,${sign('dlv_1', String(at))}`,
  ];

  it('may have a header as a list', async () => {
    const at = now();
    const headers = { ...headersOf(at, ''), 'webhook-signature': [`v1,${sign('dlv_1', at)}`] };
    expect(await verifyWebhook({ secret: 's', headers, body })).toEqual({ id: 'evt_1' });
    const several = headersOf(...signedAt(Number(at)));
    expect(await verifyWebhook({ secret: 's', headers: several, body })).toEqual({ id: 'evt_1' });
    await expect(verifyWebhook({ secret: 's', headers: several, body: `${body} ` })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
    });
  });

  it.each([
    ['text', (text: string) => text],
    ['bytes', (text: string) => new TextEncoder().encode(text)],
    ['a buffer', (text: string) => Buffer.from(text)],
    ['an array buffer', (text: string) => new TextEncoder().encode(text).buffer],
  ])('is verified with a body of %s and header names in any case', async (_, bodyOf) => {
    const at = now();
    const { 'webhook-id': id, ...rest } = headersOf(at, `v1,${sign('dlv_1', at)}`);
    for (const headers of [
      { 'Webhook-Id': id!, ...rest },
      { 'WEBHOOK-ID': id!, ...rest },
      new Headers({ 'Webhook-Id': id!, ...rest }),
    ])
      expect(await verifyWebhook({ secret: 's', headers, body: bodyOf(body) })).toEqual({ id: 'evt_1' });
  });

  it.each<[string, (at: string) => [at: string, signature: string]]>([
    ['a signature of another version', (at) => [at, `v2,${sign('dlv_1', at)}`]],
    ['a time that is no whole number', (at) => [`${at}.0`, `v1,${sign('dlv_1', `${at}.0`)}`]],
    ['a signature of another id', (at) => [at, `v1,${sign('dlv_2', at)}`]],
    ['a signature that is no base64', (at) => [at, 'v1,%%%']],
    ['a signature without its version', (at) => [at, sign('dlv_1', at)]],
    ['no signature', (at) => [at, '']],
    ['a signature of another secret', (at) => [at, `v1,${sign('dlv_1', at, 't')}`]],
    ['an old time', (at) => signedAt(Number(at) - 301)],
    ['a time from the future', (at) => signedAt(Number(at) + 310)],
  ])('is refused with %s', async (_, make) => {
    const [at, signature] = make(now());
    await expect(
      verifyWebhook({ secret: 's', headers: headersOf(at, signature), body }),
    ).rejects.toMatchObject({ name: 'WebhookVerificationError' });
  });

  it.each(SIGNING_SECRETS)('takes the secret "%s" as the bytes of "%s"', async (secret, bytes) => {
    const at = now();
    const headers = headersOf(at, `v1,${sign('dlv_1', at, bytes)}`);
    expect(await verifyWebhook({ secret, headers, body })).toEqual({ id: 'evt_1' });
  });
});
