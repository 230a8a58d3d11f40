import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { StreamBatch } from '../stream-batch.js';
import { Jetstream } from './jetstream.js';

const HOUR_US = 3_600_000_000;
const NOW_US = Date.parse('2026-01-02T03:04:05Z') * 1_000;

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });

describe('a stream that no longer holds what follows the position', () => {
  beforeAll(async () => {
    server.on('connection', (socket) =>
      socket.send(JSON.stringify({ did: 'did:plc:a', time_us: NOW_US, kind: 'identity', identity: {} })),
    );
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const gapAfter = async (position: number): Promise<StreamBatch['gap']> => {
    const stop = new AbortController();
    const stream = new Jetstream(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 'agent/1.0');
    for await (const batch of stream.read(String(position), stop.signal))
      if (batch.newestAt !== null) return batch.gap;
    return undefined;
  };

  it('says when its first event happened', async () => {
    expect(await gapAfter(NOW_US - 40 * HOUR_US)).toMatchObject({ to: new Date(NOW_US / 1_000) });
  });

  it('says nothing where it goes on without a gap', async () => {
    expect(await gapAfter(NOW_US - HOUR_US / 2)).toBeUndefined();
  });
});

describe('a post of the stream', () => {
  it.each([1e25, -1, 0, 8_640_000_000_000_001_000, NOW_US * 1e6, 'soon', null])(
    'whose event has the time %j is there, at a time that is possible',
    async (time_us) => {
      const sent = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      const record = { text: 'Hello', createdAt: '2026-01-02T03:04:05Z' };
      const commit = { operation: 'create', collection: 'app.bsky.feed.post', rkey: '3k', record };
      sent.on('connection', (socket) =>
        socket.send(JSON.stringify({ did: 'did:plc:a', time_us, kind: 'commit', commit })),
      );
      await once(sent, 'listening');
      const stop = new AbortController();
      const stream = new Jetstream(`ws://127.0.0.1:${(sent.address() as AddressInfo).port}`, 'agent/1.0');
      const before = Date.now();
      try {
        for await (const { texts } of stream.read('1', stop.signal)) {
          if (texts.length === 0) continue;
          expect(texts).toMatchObject([{ id: 'bs_did:plc:a_3k', text: 'Hello' }]);
          expect(texts[0]!.at.getTime()).toBeGreaterThanOrEqual(before);
          break;
        }
      } finally {
        sent.close();
      }
    },
  );
});
