import type { Socket } from 'node:net';
import type { ConnectionOptions, Server, Transport } from '@nats-io/nats-core/internal';
import { securedSocket } from '../../infrastructure/outbound-http/open-socket.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import { NatsFailure } from './nats-failure.js';

/** A server that sends more over one connection loses it. Its confirmations have some 100 bytes each. */
export const MAX_RECEIVED_BYTES = 16 * 1_024 ** 2;
/** How long the last bytes have to leave, in milliseconds. */
const CLOSE_MS = 1_000;
/** Of the line in which a server introduces itself. */
const MAX_INFO_BYTES = 64 * 1_024;
const INFO = /^INFO (?<json>\{.*\})\s*$/s;

/** The connection that a {@link NatsSocket} takes over. */
export interface NatsConnectionOptions extends ConnectionOptions {
  socket: Socket;
  host: string;
  needsTls: boolean;
  signal: AbortSignal;
  /** Gets the reason of the end of the connection, where there is one. */
  loss: { reason: unknown };
}

/** Lets the client speak over an open socket, with TLS where the server or the address demands it. */
export class NatsSocket implements Transport {
  readonly lang = 'node';
  readonly version = '1';
  isClosed = false;
  closeError?: Error;
  private socket!: Socket;
  private introduction: Buffer = Buffer.alloc(0);
  private received = 0;
  private loss: NatsConnectionOptions['loss'] = { reason: undefined };
  private resolveClosed!: (error?: Error) => void;
  private readonly whenClosed = new Promise<void | Error>((resolve) => (this.resolveClosed = resolve));

  async connect(_server: Server, options: ConnectionOptions): Promise<void> {
    const { socket, host, needsTls, signal, loss } = options as NatsConnectionOptions;
    this.socket = socket;
    this.loss = loss;
    this.introduction = await firstLine(socket);
    const json = INFO.exec(this.introduction.toString())?.groups?.json;
    if (json === undefined) throw new Error('no introduction');
    const info = JSON.parse(json) as { tls_required?: unknown; tls_available?: unknown };
    const hasTls = info.tls_required === true || info.tls_available === true;
    if (needsTls && !hasTls) throw new NatsFailure('The server has no TLS; its address begins with nats://');
    if (hasTls) this.socket = await securedSocket(socket, host, signal);
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    try {
      yield this.introduction;
      for await (const chunk of this.socket) {
        this.received += (chunk as Buffer).length;
        if (this.received > MAX_RECEIVED_BYTES) throw new NatsFailure('The server sends too much');
        yield chunk as Buffer;
      }
      this.end();
    } catch (error) {
      this.end(error as Error);
    }
  }

  isEncrypted(): boolean {
    return 'encrypted' in this.socket;
  }

  send(frame: Uint8Array): void {
    if (!this.isClosed) this.socket.write(frame);
  }

  close(error?: Error): Promise<void> {
    this.end(error);
    return Promise.resolve();
  }

  disconnect(): void {
    this.end();
  }

  closed(): Promise<void | Error> {
    return this.whenClosed;
  }

  discard(): void {
    this.end();
  }

  private end(error?: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (error !== undefined) this.closeError = error;
    this.loss.reason = error;
    const { socket } = this;
    const ending = setTimeout(() => socket.destroy(), CLOSE_MS);
    socket.once('close', () => clearTimeout(ending)).end(() => socket.destroy());
    this.resolveClosed(error);
  }
}

/** The first line of a server, with its end. */
async function firstLine(socket: Socket): Promise<Buffer> {
  let line: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) await readable(socket);
    else {
      line = Buffer.concat([line, chunk]);
      const end = line.indexOf('\n') + 1;
      if (end > 0) {
        if (end < line.length) socket.unshift(line.subarray(end));
        return line.subarray(0, end);
      }
      if (line.length > MAX_INFO_BYTES) throw new Error('no introduction');
    }
  }
}

async function readable(socket: Socket): Promise<void> {
  if (socket.readableEnded || socket.destroyed)
    throw new OutboundError('reset', 'The server closed the connection');
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error): void => {
      socket.off('readable', done).off('end', done).off('close', done).off('error', done);
      if (error instanceof Error) reject(error);
      else resolve();
    };
    socket.on('readable', done).on('end', done).on('close', done).on('error', done);
  });
}
