import { type AddressInfo, createServer, type Socket } from 'node:net';

const METHOD_FRAME = 1;
const FRAME_END = 0xce;

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 65_535)]);
const text = (value: string): Buffer => Buffer.concat([u32(value.length), Buffer.from(value)]);

/** A frame of AMQP 0-9-1 with a method, by its class and number. */
export function method(channel: number, [kind, number]: [number, number], ...fields: Buffer[]): Buffer {
  const payload = Buffer.concat([u16(kind), u16(number), ...fields]);
  const head = Buffer.concat([Buffer.from([METHOD_FRAME]), u16(channel), u32(payload.length)]);
  return Buffer.concat([head, payload, Buffer.from([FRAME_END])]);
}

/** The frames of a broker that takes every password, in the order in which clients wait for them. */
export const WELCOME = {
  start: method(0, [10, 10], Buffer.from([0, 9]), u32(0), text('PLAIN'), text('en_US')),
  tune: method(0, [10, 30], u16(0), u32(131_072), u16(0)),
  open: method(0, [10, 41], Buffer.from([0])),
  channel: method(1, [20, 11], u32(0)),
  confirms: method(1, [85, 11]),
};

/** The frame by which a broker closes a connection. */
export const closing = (code: number, words: string): Buffer =>
  method(0, [10, 50], u16(code), Buffer.from([words.length]), Buffer.from(words), u32(0));

/** The confirmation of the message with this number. */
export const confirming = (tag: bigint): Buffer => {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(tag);
  return method(1, [60, 80], number, Buffer.from([0]));
};

const HEADER_BYTES = 8;
const FRAME_BYTES = 8;
const CLOSE = '10.50';
/** Those of a client that the script answers, by class and number: start-ok, open, open of a channel, confirms, publish. */
const ASKING = ['10.11', '10.40', '20.10', '85.10', '60.40'];

/** Reads frames from packets; calls `asked` for the header of the protocol and each method that expects an answer. */
function reading(asked: () => void, closed: () => void): (packet: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isOpen = false;
  return (packet) => {
    rest = Buffer.concat([rest, packet]);
    if (!isOpen && rest.length >= HEADER_BYTES) {
      isOpen = true;
      rest = rest.subarray(HEADER_BYTES);
      asked();
    }
    while (isOpen && rest.length >= FRAME_BYTES) {
      const end = FRAME_BYTES + rest.readUInt32BE(3);
      if (rest.length < end) return;
      const name = rest[0] === METHOD_FRAME ? `${rest.readUInt16BE(7)}.${rest.readUInt16BE(9)}` : '';
      if (name === CLOSE) closed();
      else if (ASKING.includes(name)) asked();
      rest = rest.subarray(end);
    }
  };
}

/** The broker says that it takes no messages for a while. */
export const BLOCKED = method(0, [10, 60], Buffer.from([1]), Buffer.from('m'));

/** A broker on loopback that answers each question of a client with the next part of a script, and then says nothing. */
export class ScriptedBroker {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.serve(socket));
  /** Number of connections that were opened. */
  opened = 0;

  private constructor(private readonly script: readonly Buffer[]) {}

  static async start(...script: readonly Buffer[]): Promise<ScriptedBroker> {
    const broker = new ScriptedBroker(script);
    await new Promise<void>((resolve) => broker.server.listen(0, '127.0.0.1', resolve));
    return broker;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of connections that are open. */
  get open(): number {
    return this.sockets.size;
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private serve(socket: Socket): void {
    const parts = [...this.script];
    this.opened += 1;
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    const answer = (): void => {
      const next = parts.shift();
      if (next !== undefined) socket.write(next);
    };
    socket.on(
      'data',
      reading(answer, () => socket.end(method(0, [10, 51]))),
    );
  }
}
