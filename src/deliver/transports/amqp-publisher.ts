import type { Options } from 'amqplib';
import type { AmqpAddress } from './amqp-address.js';
import { MAX_RECEIVED_BYTES, type OpenChannel } from './amqp-handshake.js';
import { closedChannel, failureOf } from './amqp-failure.js';

/** How long an unused connection stays open, in milliseconds. */
const IDLE_MS = 30_000;
/** How long a broker has to confirm that a connection ends, in milliseconds. */
const CLOSE_MS = 1_000;

const NO_QUEUE = 'The broker has no queue for the message; check exchange and routing key';
const NOT_TAKEN = 'The broker did not take the message; a queue may be full';
const BLOCKED = 'The broker takes no messages at present; its memory or disk is full';

/** A message and where it goes. */
export interface AmqpMessage {
  /** Of the delivery. No other message with this id may be waiting for its confirmation. */
  id: string;
  address: Pick<AmqpAddress, 'exchange' | 'routingKey'>;
  body: string;
  properties: Pick<Options.Publish, 'contentType' | 'type' | 'timestamp'>;
}

/** Publishes messages over one connection until it is unused, lost or retired. */
export class AmqpPublisher {
  private readonly waiting = new Map<string, (failure: string | null) => void>();
  private readonly idle: NodeJS.Timeout;
  private isRetired = false;
  private isClosed = false;

  /** `onRetired` is called once, when it takes no further messages. */
  constructor(
    private readonly open: OpenChannel,
    private readonly onRetired: () => void,
  ) {
    this.idle = setTimeout(() => this.retire(), IDLE_MS);
    const { connection, channel } = open;
    connection.on('error', (error) => this.end(failureOf(error)));
    connection.on('close', (error) => this.end(failureOf(error ?? new Error('channel closed'))));
    connection.on('blocked', () => this.end(BLOCKED));
    channel.on('error', (error) => this.end(closedChannel(Number((error as { code?: number }).code))));
    channel.on('return', ({ properties }) => this.settle(String(properties.messageId), NO_QUEUE));
  }

  /** Null when the broker has taken the message, else why not. Never rejects; the caller limits the wait. */
  publish({ id, address: { exchange, routingKey }, body, properties }: AmqpMessage): Promise<string | null> {
    this.idle.refresh();
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      const options = { ...properties, messageId: id, mandatory: true, persistent: true };
      try {
        this.open.channel.publish(exchange, routingKey, Buffer.from(body), options, (error: Error | null) =>
          this.settle(id, error === null ? null : lostOrNotTaken(error)),
        );
      } catch (error) {
        this.end(failureOf(error));
      }
      if (this.open.socket.bytesRead > MAX_RECEIVED_BYTES / 2) this.retire();
    });
  }

  /** Gives up waiting for a confirmation; a connection over which none arrives is not used again. */
  giveUp(id: string): void {
    if (!this.waiting.has(id)) return;
    this.retire();
    this.settle(id, null);
  }

  /** Takes no further messages, and closes the connection after the last confirmation. */
  retire(): void {
    if (!this.isRetired) this.onRetired();
    this.isRetired = true;
    if (this.waiting.size === 0) this.close();
  }

  private settle(id: string, failure: string | null): void {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    resolve?.(failure);
    if (this.isRetired && this.waiting.size === 0) this.close();
  }

  /** Settles every message with the same failure. */
  private end(failure: string): void {
    this.retire();
    for (const id of [...this.waiting.keys()]) this.settle(id, failure);
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.idle);
    const { socket, connection } = this.open;
    const ending = setTimeout(() => socket.destroy(), CLOSE_MS);
    socket.once('close', () => clearTimeout(ending));
    connection.close().catch(() => socket.destroy());
  }
}

function lostOrNotTaken(error: Error): string {
  return error.message === 'message nacked' ? NOT_TAKEN : failureOf(error);
}
