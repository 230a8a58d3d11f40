/** How long an unused connection stays open, in milliseconds. */
const IDLE_MS = 30_000;

/** An event on its way to a broker. */
export interface BrokerMessage<Address> {
  /** Of the delivery. No other message with this id may be waiting for its confirmation. */
  id: string;
  address: Address;
  body: string;
  mediaType: string;
  /** As in the body: `job.completed`. */
  type: string;
  sentAt: Date;
}

/** Publishes messages over one connection until it is unused, lost or retired. */
export abstract class BrokerPublisher<Address> {
  private readonly waiting = new Map<string, (failure: string | null) => void>();
  private readonly idle: NodeJS.Timeout;
  private isRetired = false;
  private isClosed = false;

  /** `onRetired` is called once, when it takes no further messages. */
  constructor(private readonly onRetired: () => void) {
    this.idle = setTimeout(() => this.retire(), IDLE_MS);
  }

  /** Null when the broker has taken the message, else why not. Never rejects; the caller limits the wait. */
  publish(message: BrokerMessage<Address>): Promise<string | null> {
    this.idle.refresh();
    return new Promise((resolve) => {
      this.waiting.set(message.id, resolve);
      this.transmit(message);
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

  /** Sends a message and later calls {@link settle} with its id, or {@link end}. Never throws. */
  protected abstract transmit(message: BrokerMessage<Address>): void;

  /** Closes the connection. Called once. */
  protected abstract disconnect(): void;

  protected settle(id: string, failure: string | null): void {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    resolve?.(failure);
    if (this.isRetired && this.waiting.size === 0) this.close();
  }

  /** Settles every message with the same failure. */
  protected end(failure: string): void {
    this.retire();
    for (const id of [...this.waiting.keys()]) this.settle(id, failure);
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.idle);
    this.disconnect();
  }
}
