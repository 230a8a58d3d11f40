import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver of webhooks in a process of its own. `/dead` never responds; other requests are counted and answered with
 * 200. The parent sends the number of requests to skip and the number to expect; the receiver replies with the
 * milliseconds they took.
 */
let expected = Number.POSITIVE_INFINITY;
let uncounted = 0;
let count = 0;
let firstAt = 0;

const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith('/dead')) return;
  request.on('end', () => {
    response.writeHead(200).end();
    if (count === uncounted) firstAt = performance.now();
    count += 1;
    if (count === uncounted + expected) process.send?.({ tookMs: performance.now() - firstAt });
  });
});
process.on('message', (message: { expect: number; uncounted: number }) => {
  ({ expect: expected, uncounted } = message);
  count = 0;
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
