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
export const MAX_RECEIVED_BYTES = 16 * 1_024 ** 2;

/** An open connection with one channel, on which the broker confirms what it takes. */
export interface OpenChannel {
  socket: Socket;
  connection: ChannelModel;
  channel: ConfirmChannel;
}

interface RawConnection extends EventEmitter {
  open(settings: object, opened: (error: Error | null) => void): void;
  freshChannel(channel: RawChannel, options: object): number;
}

interface RawChannel extends EventEmitter {
  /** Number of the oldest message without confirmation, and the callbacks of it and those after it. */
  lwm: number;
  unconfirmed: unknown[];
  accept(frame: { content?: Buffer }): void;
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
  const freshChannel = raw.freshChannel.bind(raw);
  // No frame reaches a channel before.
  raw.freshChannel = (channel, options) => freshChannel(guarded(channel), options);
  try {
    await new Promise<void>((resolve, reject) =>
      raw.open(settingsOf(address, password), (error) => (error === null ? resolve() : reject(error))),
    );
    const connection = new ChannelModel(raw);
    connection.on('error', () => undefined);
    const channel = await connection.createConfirmChannel();
    if (lost !== undefined) throw new Error('lost');
    return { socket, connection, channel };
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

/** Refuses frames for which amqplib would take memory or time without limit; it closes the connection then. */
function guarded(channel: RawChannel): RawChannel {
  for (const event of ['ack', 'nack'])
    channel.prependListener(event, ({ deliveryTag }: { deliveryTag: number }) => {
      // It is taken for an index, however large.
      const index = deliveryTag - channel.lwm;
      if (index < 0 || index >= channel.unconfirmed.length)
        throw new Error('confirmation of an unknown message');
    });
  const accept = channel.accept.bind(channel);
  channel.accept = (frame) => {
    // Each is kept until the announced size is reached.
    if (frame.content?.length === 0) throw new Error('empty frame');
    accept(frame);
  };
  return channel;
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
