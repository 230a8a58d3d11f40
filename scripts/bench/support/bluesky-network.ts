import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

const COLLECTION = 'app.bsky.feed.post';

/** A post as it is written to the network. */
export interface WrittenPost {
  text: string;
  did?: string;
  tag?: string;
  /** Key of the post that it replies to, by the same or another account. */
  replyTo?: string;
  /** Its account asks not to be shown to visitors. */
  isHidden?: boolean;
}

/** Bluesky in small: a stream like Jetstream's, which sends again what a connection has missed, and an AppView of the same posts. */
export class BlueskyNetwork {
  readonly log: { time_us: number; text: string }[] = [];
  readonly writtenAt = new Map<string, number>();
  mostConnections = 0;
  /** Number of requests to the AppView. */
  requests = 0;
  private readonly views = new Map<string, object>();
  private readonly server: Server;
  private readonly sockets: WebSocketServer;

  private constructor() {
    this.server = createServer((request, response) => {
      this.requests += 1;
      const { searchParams } = new URL(request.url!, 'http://appview');
      const posts = searchParams.getAll('uris').flatMap((uri) => this.views.get(uri) ?? []);
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ posts }));
    });
    this.sockets = new WebSocketServer({ server: this.server });
    this.sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
      this.mostConnections = Math.max(this.mostConnections, this.sockets.clients.size);
      const cursor = Number(new URL(request.url!, 'http://stream').searchParams.get('cursor'));
      for (const { time_us, text } of this.log) if (time_us >= cursor) socket.send(text);
    });
  }

  static async start(): Promise<BlueskyNetwork> {
    const network = new BlueskyNetwork();
    network.server.listen(0, '127.0.0.1');
    await once(network.server, 'listening');
    return network;
  }

  /** Address of the AppView. */
  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Address of the stream. */
  get stream(): string {
    return this.address.replace('http', 'ws');
  }

  /** Writes a post under a key, or other words in place of those before; returns its id. */
  write(
    key: string,
    { text, did = 'did:plc:writer', tag, replyTo, isHidden = false }: WrittenPost,
    operation: 'create' | 'update' = 'create',
  ): string {
    const time_us = this.now();
    const indexedAt = new Date().toISOString();
    const facets = tag === undefined ? [] : [{ features: [{ $type: 'app.bsky.richtext.facet#tag', tag }] }];
    const above = replyTo === undefined ? undefined : { uri: uriOf(did, replyTo), cid: 'bafy' };
    const record = {
      text,
      facets,
      createdAt: indexedAt,
      ...(above && { reply: { root: above, parent: above } }),
    };
    const author = {
      did,
      handle: `${did.slice(8)}.example`,
      labels: isHidden ? [{ val: '!no-unauthenticated' }] : [],
    };
    const uri = uriOf(did, key);
    this.views.set(uri, { uri, author, record, indexedAt, replyCount: 0, likeCount: 0, labels: [] });
    this.writtenAt.set(`bs_${did}_${key}`, time_us / 1_000);
    this.send(time_us, {
      did,
      kind: 'commit',
      commit: { operation, collection: COLLECTION, rkey: key, record },
    });
    return `bs_${did}_${key}`;
  }

  /** Deletes a post. */
  delete(key: string, did = 'did:plc:writer'): void {
    this.views.delete(uriOf(did, key));
    const commit = { operation: 'delete', collection: COLLECTION, rkey: key };
    this.send(this.now(), { did, kind: 'commit', commit });
  }

  close(): void {
    for (const socket of this.sockets.clients) socket.terminate();
    this.sockets.close();
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The time in microseconds, another millisecond for each event. */
  private now(): number {
    return Math.max(Date.now() * 1_000, (this.log.at(-1)?.time_us ?? 0) + 1_000);
  }

  private send(time_us: number, event: object): void {
    const text = JSON.stringify({ ...event, time_us });
    this.log.push({ time_us, text });
    for (const socket of this.sockets.clients) socket.send(text);
  }
}

const uriOf = (did: string, key: string): string => `at://${did}/${COLLECTION}/${key}`;
