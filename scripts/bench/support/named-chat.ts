import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from './measure.js';

/** How long messages are awaited after the last post. */
const LIMIT_MS = 10_000;

/** A chat that notes when the first message about each post arrives, which has `namedNUMBER` in its text. */
export class NamedChat {
  private readonly arrivedAt = new Map<number, number>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        for (const [, name] of body.matchAll(/named(\d+)/g))
          if (!this.arrivedAt.has(Number(name))) this.arrivedAt.set(Number(name), performance.now());
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
  }

  /** An address of its own for each alert, since the service sends at most so many messages to one. */
  address(number: number): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${number}`;
  }

  /** How long the messages about posts took that began at these times, leaving out the first posts. */
  async delays(
    begunAt: ReadonlyMap<number, number>,
    leftOut: number,
  ): Promise<{ to_chat_p50_ms: number; to_chat_p95_ms: number; messages: number }> {
    const end = performance.now() + LIMIT_MS;
    while (this.arrivedAt.size < begunAt.size && performance.now() < end) await wait(50);
    const took = [...begunAt]
      .slice(leftOut)
      .map(([number, begun]) => (this.arrivedAt.get(number) ?? NaN) - begun)
      .filter((milliseconds) => !Number.isNaN(milliseconds));
    return {
      to_chat_p50_ms: Math.round(quantile(took, 0.5)),
      to_chat_p95_ms: Math.round(quantile(took, 0.95)),
      messages: took.length,
    };
  }

  close(): void {
    this.server.close();
  }
}
