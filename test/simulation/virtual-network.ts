import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Random } from './random.js';
import type { Actor, VirtualTime } from './virtual-time.js';

const LONGEST_LATENCY_MS = 80;

/** One end of a connection in memory; what is written arrives at the other end after a while. */
class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  peer!: MemorySocket;
  private lastAt = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly latency: () => number,
    readonly actor: Actor | null,
  ) {
    super({ allowHalfOpen: true });
    this.on('error', () => undefined);
  }

  override _read(): void {
    // Data is pushed when it arrives.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.arrive((peer) => peer.push(chunk));
    done();
  }

  override _final(done: () => void): void {
    this.arrive((peer) => peer.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.arrive((peer) => peer.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' })));
    done(error);
  }

  setTimeout = (): this => this;
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  private arrive(work: (peer: MemorySocket) => void): void {
    this.lastAt = Math.max(this.lastAt, this.time.now + this.latency());
    this.time.plan(this.lastAt, () => !this.peer.destroyed && work(this.peer), this.peer.actor);
  }
}

/** A request that reached a receiver. */
export interface Arrived {
  actor: Actor;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** How a receiver treats a request. */
export interface Treatment {
  kind: 'answer' | 'truncate' | 'reset' | 'hang';
  status: number;
  retryAfterSeconds?: number;
  delayMs: number;
}

/** Carries the service's HTTP requests to one receiver, which `treat` describes; `ended` follows every request. */
export class VirtualNetwork {
  treat: (request: Arrived) => Treatment = () => ({ kind: 'answer', status: 204, delayMs: 0 });
  ended: (request: Arrived) => void = () => undefined;
  private readonly open = new Set<MemorySocket>();
  private readonly actorOf = new WeakMap<object, Actor>();
  private readonly server = createServer({
    requestTimeout: 0,
    headersTimeout: 0,
    connectionsCheckingInterval: 2 ** 30,
  });

  constructor(
    private readonly time: VirtualTime,
    private readonly random: () => Random,
  ) {
    this.server.timeout = 0;
    this.server.keepAliveTimeout = 0;
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers, socket } = request;
        const body = Buffer.concat(chunks).toString();
        this.answer({ actor: this.actorOf.get(socket)!, path: url, headers, body }, response);
      });
    });
  }

  /** Replaces the connections of all agents. */
  install(): void {
    const connect = (): Duplex => this.connect();
    (Agent.prototype as unknown as { createConnection: () => Duplex }).createConnection = connect;
  }

  /** Closes the connections of a process that has ended. */
  close(actor: Actor): void {
    for (const socket of this.open) if (socket.actor === actor) socket.destroy();
  }

  private connect(): Duplex {
    const { actor } = this.time;
    const latency = (): number => this.random().below(LONGEST_LATENCY_MS);
    const [near, far] = [actor, null].map((one) => new MemorySocket(this.time, latency, one));
    [near!.peer, far!.peer] = [far!, near!];
    this.actorOf.set(far!, actor!);
    this.open.add(near!);
    near!.once('close', () => this.open.delete(near!));
    this.time.plan(
      this.time.now + latency(),
      () => {
        this.server.emit('connection', far);
        near!.emit('connect');
      },
      actor,
    );
    return near!;
  }

  private answer(request: Arrived, response: ServerResponse): void {
    const treatment = this.treat(request);
    const { socket } = response;
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.ended(request);
      isOver = true;
    };
    response.once('close', over);
    if (treatment.kind === 'hang') return;
    this.time.plan(this.time.now + treatment.delayMs, () => {
      over();
      if (treatment.kind === 'reset') return void socket!.destroy();
      const { status, retryAfterSeconds } = treatment;
      const length = treatment.kind === 'truncate' ? 100 : 2;
      if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
      response.writeHead(status, { 'content-length': length });
      if (length === 2) return void response.end('{}');
      response.write('{}');
      this.time.plan(this.time.now + 5, () => socket?.destroy());
    });
  }
}
