import { EventEmitter, once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import request from 'supertest';
import { SystemClock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import { EXPORTED_TABLES, type ExportedRow } from './exported-table.js';
import { ExportDownload } from './export-download.js';
import type { Pseudonyms } from './pseudonyms.js';
import type { ExportsService } from './exports.service.js';

/** Sends posts as CSV. */
const send = (
  open: ExportsService['open'],
  response: Response,
  { stallTimeoutMs = 60_000 }: { stallTimeoutMs?: number } = {},
): Promise<void> => {
  const environment = { EXPORT_STALL_TIMEOUT_MS: stallTimeoutMs } as Environment;
  const sql = { text: 'SELECT', parameters: [] };
  return new ExportDownload(
    { open } as ExportsService,
    new SystemClock(),
    environment,
    {} as Pseudonyms,
  ).send({ workspaceId: 'w', kind: 'posts', format: 'csv', bom: false, pseudonymize: false, sql }, response);
};

it('a download that waits for its turn gives the turn up when its client disconnects', () => {
  let given: AbortSignal | undefined;
  const response = Object.assign(new EventEmitter(), { vary: () => undefined, req: { method: 'GET' } });
  void send(
    (_workspaceId, _sql, signal) => {
      given = signal;
      return new Promise(() => undefined);
    },
    response as unknown as Response,
  );
  expect(given!.aborted).toBe(false);
  response.emit('close');
  expect(given!.aborted).toBe(true);
});

it('a compressed download triggers no warning of leaked listeners', async () => {
  const counts: number[] = [];
  const app = express().get('/', (_request, response, next) => {
    for (let other = 0; other < 5; other += 1) response.once('close', () => undefined);
    const batches = (async function* () {
      yield await Promise.resolve([]);
      counts.push(response.listenerCount('close'), response.getMaxListeners());
    })();
    send(() => Promise.resolve({ batches, end: () => undefined }), response).catch(next);
  });
  await request(app).get('/').set('Accept-Encoding', 'gzip').expect(200).expect('Content-Encoding', 'gzip');
  const [listeners, most] = counts;
  expect(listeners).toBeLessThanOrEqual(most!);
});

it('ends a download whose client reads nothing for the configured time', async () => {
  const row: ExportedRow = EXPORTED_TABLES.posts.fields.map(() => 'x'.repeat(10_000));
  const batches = (async function* () {
    for (;;) yield await Promise.resolve([row]);
  })();
  let end: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const app = express().get('/', (_request, response) => {
    void send(() => Promise.resolve({ batches, end }), response, { stallTimeoutMs: 100 });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  client.on('error', () => undefined);
  client.on('response', (response) => response.pause().on('error', () => undefined));
  await ended;
  client.destroy();
  server.close();
});
