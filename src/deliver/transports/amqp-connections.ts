import { LRUCache } from 'lru-cache';
import { destroyedOnAbort } from '../../infrastructure/outbound-http/open-socket.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type { AmqpAddress } from './amqp-address.js';
import { openChannel } from './amqp-handshake.js';
import { AmqpPublisher } from './amqp-publisher.js';

/** Number of webhooks whose connections are kept; that of the least recently used one is closed for another. */
const MAX_KEPT = 64;

interface Kept {
  opening: Promise<AmqpPublisher>;
  aborter: AbortController;
}

/** One connection for each webhook that had an event of late. */
export class AmqpConnections {
  private readonly kept = new LRUCache<string, Kept>({
    max: MAX_KEPT,
    dispose: ({ opening }) =>
      void opening.then(
        (publisher) => publisher.retire(),
        () => undefined,
      ),
  });

  constructor(
    private readonly http: OutboundHttpClient,
    private readonly timeoutMs: number,
  ) {}

  /** The connection of a webhook, by a key that changes with its address or password. Rejects when it cannot be opened in time. */
  publisher(key: string, address: AmqpAddress, password: string): Promise<AmqpPublisher> {
    const known = this.kept.get(key);
    if (known !== undefined) return known.opening;
    const aborter = new AbortController();
    const forget = (): void => {
      if (this.kept.peek(key) === kept) this.kept.delete(key);
    };
    const opening = this.open(address, password, { aborter, onRetired: forget });
    const kept: Kept = { opening, aborter };
    this.kept.set(key, kept);
    opening.catch(forget);
    return opening;
  }

  close(): void {
    for (const { aborter } of this.kept.values())
      aborter.abort(new OutboundError('aborted', 'The service stops'));
    this.kept.clear();
  }

  private async open(
    address: AmqpAddress,
    password: string,
    { aborter, onRetired }: { aborter: AbortController; onRetired: () => void },
  ): Promise<AmqpPublisher> {
    const tooLate = new OutboundError('timeout', `No connection to the broker within ${this.timeoutMs} ms`);
    const timer = setTimeout(() => aborter.abort(tooLate), this.timeoutMs);
    try {
      const socket = await this.http.openSocket(address.broker, aborter.signal);
      const open = await destroyedOnAbort(socket, aborter.signal, openChannel(socket, address, password));
      return new AmqpPublisher(open, onRetired);
    } finally {
      clearTimeout(timer);
    }
  }
}
