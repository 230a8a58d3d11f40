import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A request for a tunnel that a proxy got. */
export interface AskedTunnel {
  /** `host:port` as the client wrote it. */
  authority: string;
  authorization: string | undefined;
}

/**
 * An HTTP proxy on loopback that knows only CONNECT and leads every tunnel to one server, so that tests can use hosts that
 * do not exist.
 */
export class HttpProxy {
  readonly asked: AskedTunnel[] = [];
  /** Answers with this status and opens no tunnel; 0 says nothing at all. */
  refusal: number | null = null;

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  /** `target` is the address of the server; `credentials` the `user:password` that the proxy demands. */
  static async start(target: string, credentials?: string): Promise<HttpProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer();
    const proxy = new HttpProxy(server, sockets);
    const demanded = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    server.on('connect', ({ url = '', headers }, near: Socket, head: Buffer) => {
      const authorization = headers['proxy-authorization'];
      proxy.asked.push({ authority: url, authorization });
      near.on('error', () => near.destroy());
      sockets.add(near);
      const status = authorization === demanded ? proxy.refusal : 407;
      if (status === 0) return;
      if (status !== null) {
        near.end(`HTTP/1.1 ${status} No\r\n\r\n`);
        return;
      }
      const far = connect(Number(port), hostname, () => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n');
        far.write(head);
        near.pipe(far).pipe(near);
      });
      sockets.add(far);
      far.on('error', () => near.destroy());
      near.on('close', () => far.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
