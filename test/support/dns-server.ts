import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const A = 1;

/** A DNS server on loopback that responds only to the given names and is silent for all others. */
export class DnsServer {
  /** Number of queries received, by name. */
  readonly queries = new Map<string, number>();

  private constructor(
    private readonly socket: Socket,
    private readonly names: ReadonlyMap<string, string>,
  ) {
    socket.on('message', (query, from) => {
      const response = this.respond(query);
      if (response) socket.send(response, from.port, from.address);
    });
  }

  /** `names` maps a host name to its only IPv4 address. */
  static async start(names: Record<string, string>): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket, new Map(Object.entries(names)));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** `address:port`, as `Resolver.setServers` expects it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private respond(query: Buffer): Buffer | null {
    let at = 12;
    const labels: string[] = [];
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1);
    this.queries.set(name, (this.queries.get(name) ?? 0) + 1);
    const address = this.names.get(name);
    if (address === undefined) return null;
    const question = query.subarray(12, at + 5);
    const answers = type === A ? 1 : 0;
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers, 6);
    const answer = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    return Buffer.concat([head, question, ...(answers > 0 ? [answer] : [])]);
  }
}
