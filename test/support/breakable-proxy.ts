import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of a server that can close connections, stop passing data, and restore both. */
export interface BreakableProxy {
  /** The given address, but through the proxy. */
  url: string;
  /** The first bytes that clients sent, one entry for each connection. */
  firstBytes: Buffer[];
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Keeps connections open but passes no data. */
  silence(): void;
  /** After a silence: passes data again on the same connections. Data held back during the silence stays lost. */
  resume(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startBreakableProxy(address: string): Promise<BreakableProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const firstBytes: Buffer[] = [];
  let state: 'open' | 'cut' | 'silent' = 'open';
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.once('data', (bytes: Buffer) => firstBytes.push(bytes));
    near.on('data', (bytes) => state === 'open' && far.write(bytes));
    far.on('data', (bytes) => state === 'open' && near.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    firstBytes,
    cut: () => {
      state = 'cut';
      end();
    },
    silence: () => {
      state = 'silent';
    },
    resume: () => {
      state = 'open';
    },
    restore: () => {
      // Silent connections have lost data, so they cannot be used again.
      if (state === 'silent') end();
      state = 'open';
    },
    close: () => {
      end();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
