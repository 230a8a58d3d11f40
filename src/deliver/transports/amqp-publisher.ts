import type { AmqpAddress } from './amqp-address.js';
import { closedChannel, failureOf } from './amqp-failure.js';
import { MAX_RECEIVED_BYTES, type OpenChannel } from './amqp-handshake.js';
import { type BrokerMessage, BrokerPublisher } from './broker-publisher.js';

/** How long a broker has to confirm that a connection ends, in milliseconds. */
const CLOSE_MS = 1_000;

const NO_QUEUE = 'The broker has no queue for the message; check exchange and routing key';
const NOT_TAKEN = 'The broker did not take the message; a queue may be full';
const BLOCKED = 'The broker takes no messages at present; its memory or disk is full';

/** Publishes lasting messages over a channel. */
export class AmqpPublisher extends BrokerPublisher<AmqpAddress> {
  constructor(
    private readonly open: OpenChannel,
    onRetired: () => void,
  ) {
    super(onRetired);
    const { connection, channel } = open;
    connection.on('error', (error) => this.end(failureOf(error)));
    connection.on('close', (error) => this.end(failureOf(error ?? new Error('channel closed'))));
    connection.on('blocked', () => this.end(BLOCKED));
    channel.on('error', (error) => this.end(closedChannel(Number((error as { code?: number }).code))));
    channel.on('return', ({ properties }) => this.settle(String(properties.messageId), NO_QUEUE));
  }

  protected transmit({ id, address, body, mediaType, type, sentAt }: BrokerMessage<AmqpAddress>): void {
    const options = {
      contentType: mediaType,
      type,
      timestamp: Math.floor(sentAt.getTime() / 1_000),
      messageId: id,
      mandatory: true,
      persistent: true,
    };
    const confirmed = (error: Error | null): void =>
      this.settle(id, error === null ? null : lostOrNotTaken(error));
    try {
      this.open.channel.publish(address.exchange, address.routingKey, Buffer.from(body), options, confirmed);
    } catch (error) {
      this.end(failureOf(error));
    }
    if (this.open.socket.bytesRead > MAX_RECEIVED_BYTES / 2) this.retire();
  }

  protected disconnect(): void {
    const { socket, connection } = this.open;
    const ending = setTimeout(() => socket.destroy(), CLOSE_MS);
    socket.once('close', () => clearTimeout(ending));
    connection.close().catch(() => socket.destroy());
  }
}

function lostOrNotTaken(error: Error): string {
  return error.message === 'message nacked' ? NOT_TAKEN : failureOf(error);
}
