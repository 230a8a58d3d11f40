import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const receivedEvent = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ matched_posts: z.array(z.object({ id: z.string() })).optional() }),
});

/** An event as one destination received it. */
export interface ReceivedEvent {
  type: string;
  times: number;
  /** Ids of the posts in an alert's event. */
  posts: string[];
}

/** An HTTP server on loopback that accepts every event; each path is a separate destination. */
export class EventReceiver {
  /** By destination and bare event id. */
  readonly received = new Map<string, Map<string, ReceivedEvent>>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.record(request.url!, Buffer.concat(chunks).toString());
        response.writeHead(204).end();
      });
    });
  }

  static async start(): Promise<EventReceiver> {
    const server = createServer();
    const receiver = new EventReceiver(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  /** Address of a destination. */
  urlOf(destination: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${destination}`;
  }

  /** Events of a destination by their bare ids. */
  eventsOf(destination: string): ReadonlyMap<string, ReceivedEvent> {
    return this.received.get(destination) ?? new Map<string, ReceivedEvent>();
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private record(path: string, body: string): void {
    const { id, type, data } = receivedEvent.parse(JSON.parse(body));
    const destination = path.slice(1);
    const events = this.received.get(destination) ?? new Map<string, ReceivedEvent>();
    this.received.set(destination, events);
    const bareId = id.replace(/^[a-z]+_/, '');
    const times = (events.get(bareId)?.times ?? 0) + 1;
    events.set(bareId, { type, times, posts: (data.matched_posts ?? []).map((post) => post.id) });
  }
}
