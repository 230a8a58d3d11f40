import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { AmqpAddress } from './amqp-address.js';
import { AmqpFailure, failureOf } from './amqp-failure.js';

/** Largest frame of either side. */
const MAX_FRAME_BYTES = 131_072;
/** A broker that sends more over one connection loses it. Its confirms have some 20 bytes each. */
const MAX_RECEIVED_BYTES = 16 * 1_024 ** 2;

/** An open connection with one channel, on which the broker confirms what it takes. */
export interface OpenChannel {
  socket: Socket;
  connection: ChannelModel;
  channel: ConfirmChannel;
}

interface RawConnection extends EventEmitter {
  open(settings: object, opened: (error: Error | null) => void): void;
}

/**
 * The parts of amqplib from which its `connect` is made. That function reads before a program can listen to errors, so that a
 * broker that closes a connection in the packet that opens it ends the process; and it opens its socket itself.
 */
interface Parts {
  Connection: new (socket: Socket) => RawConnection;
  ChannelModel: new (connection: RawConnection) => ChannelModel;
}

/** Opens a connection and a channel on a socket. Rejects with {@link AmqpFailure}; the caller ends the socket then. */
export async function openChannel(
  socket: Socket,
  address: AmqpAddress,
  password: string,
): Promise<OpenChannel> {
  const { Connection, ChannelModel } = amqplib();
  limitReceived(socket);
  const raw = new Connection(socket);
  let lost: unknown;
  raw.on('error', (error: unknown) => (lost ??= error));
  try {
    await new Promise<void>((resolve, reject) =>
      raw.open(settingsOf(address, password), (error) => (error === null ? resolve() : reject(error))),
    );
    const connection = new ChannelModel(raw);
    connection.on('error', () => undefined);
    return { socket, connection, channel: await connection.createConfirmChannel() };
  } catch (error) {
    throw new AmqpFailure(failureOf(lost ?? error));
  }
}

/** Loads the package, which only brokers need. */
function amqplib(): Parts {
  const require = createRequire(import.meta.url);
  const part = (name: string): unknown => require(join(dirname(require.resolve('amqplib')), 'lib', name));
  return { ...(part('connection.js') as Parts), ...(part('channel_model.js') as Parts) };
}

function limitReceived(socket: Socket): void {
  socket.on('readable', () => {
    if (socket.bytesRead > MAX_RECEIVED_BYTES) socket.destroy(new AmqpFailure('The broker sends too much'));
  });
}

function settingsOf({ user, vhost }: AmqpAddress, password: string): object {
  return {
    clientProperties: {
      product: 'workspace-scraping-service',
      capabilities: {
        publisher_confirms: true,
        'basic.nack': true,
        'connection.blocked': true,
        authentication_failure_close: true,
      },
    },
    mechanism: 'PLAIN',
    response: Buffer.from(`\0${user}\0${password}`),
    locale: 'en_US',
    channelMax: 1,
    frameMax: MAX_FRAME_BYTES,
    maxFrameSize: MAX_FRAME_BYTES,
    // Connections are closed before others take them for dead, and every wait for the broker has a limit.
    heartbeat: 0,
    virtualHost: vhost,
    capabilities: '',
    insist: 0,
  };
}
