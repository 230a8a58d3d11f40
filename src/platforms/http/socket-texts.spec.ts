import { jest } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketTexts } from './socket-texts.js';

const LONGER_THAN_SILENCE_MS = 60_001;
/** More than wait before the connection is paused. */
const MANY = 12_000;

describe('texts of a socket', () => {
  const aborted = new AbortController();
  let server: WebSocketServer;
  let client: WebSocket;
  let texts: AsyncGenerator<string[]>;
  let passed: number;

  beforeEach(async () => {
    passed = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('headers', (headers) => headers.push(`X-Policy: ${'x'.repeat(60_000)}`));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    texts = socketTexts(`ws://127.0.0.1:${port}/`, 'agent/1.0', aborted.signal);
    const first = texts.next();
    [client] = (await once(server, 'connection')) as [WebSocket];
    await first;
  });

  afterEach(async () => {
    await texts.return(undefined);
    server.close();
    jest.restoreAllMocks();
  });

  const send = (count: number): void => {
    for (let number = 0; number < count; number += 1) client.send(String(number));
  };

  async function read(count: number): Promise<string[]> {
    const all: string[] = [];
    while (all.length < count) all.push(...(await texts.next()).value!);
    return all;
  }

  it('come in order, all of them, though the reader takes its time', async () => {
    send(MANY);
    const begun = await read(1);
    passed += LONGER_THAN_SILENCE_MS;
    const rest = await read(MANY - begun.length);
    expect([...begun, ...rest]).toEqual(Array.from({ length: MANY }, (_, number) => String(number)));
  });

  it('end when nothing is heard for a minute', async () => {
    passed += LONGER_THAN_SILENCE_MS;
    await expect(texts.next()).rejects.toThrow('The connection is silent');
  });

  it('go on while the server pings', async () => {
    passed += LONGER_THAN_SILENCE_MS;
    client.ping();
    await once(client, 'pong');
    expect((await texts.next()).value).toEqual([]);
  });

  it('that wait are read before the end of the connection', async () => {
    send(3);
    client.close(1011);
    expect(await read(3)).toEqual(['0', '1', '2']);
    await expect(texts.next()).rejects.toThrow('The connection was closed with code 1011');
  });
});
