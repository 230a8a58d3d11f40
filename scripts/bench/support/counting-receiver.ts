import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver of webhooks in a process of its own, as receivers are. `/dead` never answers; anything else is counted and
 * answered with 200. Told how many to expect, it says when the last of them came and how long they took, in ms.
 */
let expected = Number.POSITIVE_INFINITY;
let count = 0;
let firstAt = 0;

const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith('/dead')) return;
  request.on('end', () => {
    response.writeHead(200).end();
    if (count === 0) firstAt = performance.now();
    count += 1;
    if (count === expected) process.send?.({ tookMs: performance.now() - firstAt });
  });
});
process.on('message', (message: { expect: number }) => {
  expected = message.expect;
  count = 0;
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
