import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Conversations, Extent } from '../data/conversation.js';
import { COLLECTION, DID, keyOf, recordOf } from './bluesky-records.js';

const PATH = '/jetstream';
const LOOK_MS = 250;
/** Events that are kept for readers that come back. */
const MAX_KEPT = 10_000;

/**
 * The stream of the synthetic Bluesky: every post of its forum that appears while a client reads, by the clock or by the
 * control surface, at the time of this machine. A reader with a cursor first gets the kept events from there on.
 */
export class SyntheticStream {
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly kept: { time: number; text: string }[] = [];
  private known: Extent;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly posts: () => Conversations) {
    this.known = posts().extent;
  }

  /** Takes a connection; one for another path is closed. */
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stream');
    if (pathname !== PATH) return void socket.destroy();
    this.look();
    this.sockets.handleUpgrade(request, socket, head, (reader) => {
      const cursor = Number(searchParams.get('cursor') ?? Infinity);
      for (const { time, text } of this.kept) if (time >= cursor) reader.send(text);
      this.timer ??= setInterval(() => this.look(), LOOK_MS);
      reader.once('close', () => this.left());
    });
  }

  close(): void {
    for (const reader of this.sockets.clients) reader.terminate();
    if (this.timer !== null) clearInterval(this.timer);
  }

  private left(): void {
    if (this.sockets.clients.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  /** Sends what has appeared since the last look. After a reset the stream goes on from there. */
  private look(): void {
    const posts = this.posts();
    for (const post of posts.since(this.known)) {
      const time = Math.max(Date.now() * 1_000, (this.kept.at(-1)?.time ?? 0) + 1);
      const commit = {
        operation: 'create',
        collection: COLLECTION,
        rkey: keyOf(post.index),
        record: recordOf(post),
      };
      const text = JSON.stringify({ did: DID, time_us: time, kind: 'commit', commit });
      this.kept.push({ time, text });
      for (const reader of this.sockets.clients) reader.send(text);
    }
    this.kept.splice(0, this.kept.length - MAX_KEPT);
    this.known = posts.extent;
  }
}
