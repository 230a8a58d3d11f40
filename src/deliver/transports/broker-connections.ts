import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { destroyedOnAbort } from '../../infrastructure/outbound-http/open-socket.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type { BrokerPublisher } from './broker-publisher.js';

/** Number of webhooks whose connections are kept; that of the least recently used one is closed for another. */
const MAX_KEPT = 64;

/** Where a broker is. */
export interface BrokerAddress {
  /** Its host and port as a URL: of https for a connection with TLS from its first byte, else of http. */
  broker: string;
}

/** Opens a publisher on a socket that is connected to a broker. The socket is destroyed when it fails. */
export type OpenPublisher<Address> = (
  socket: Socket,
  address: Address,
  options: { secret: string; signal: AbortSignal; onRetired: () => void },
) => Promise<BrokerPublisher<Address>>;

interface Kept<Address> {
  opening: Promise<BrokerPublisher<Address>>;
  aborter: AbortController;
}

/** One connection for each webhook that had an event of late. */
export class BrokerConnections<Address extends BrokerAddress> {
  private readonly kept = new LRUCache<string, Kept<Address>>({
    max: MAX_KEPT,
    dispose: ({ opening }) =>
      void opening.then(
        (publisher) => publisher.retire(),
        () => undefined,
      ),
  });

  constructor(
    private readonly openPublisher: OpenPublisher<Address>,
    private readonly http: OutboundHttpClient,
    private readonly timeoutMs: number,
  ) {}

  /** The connection of a webhook, by a key that changes with its address or secret. Rejects when it cannot be opened in time. */
  publisher(key: string, address: Address, secret: string): Promise<BrokerPublisher<Address>> {
    const known = this.kept.get(key);
    if (known !== undefined) return known.opening;
    const aborter = new AbortController();
    const forget = (): void => {
      if (this.kept.peek(key) === kept) this.kept.delete(key);
    };
    const opening = this.open(address, secret, { aborter, onRetired: forget });
    const kept: Kept<Address> = { opening, aborter };
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
    address: Address,
    secret: string,
    { aborter, onRetired }: { aborter: AbortController; onRetired: () => void },
  ): Promise<BrokerPublisher<Address>> {
    const { signal } = aborter;
    const tooLate = new OutboundError('timeout', `No connection to the broker within ${this.timeoutMs} ms`);
    const timer = setTimeout(() => aborter.abort(tooLate), this.timeoutMs);
    try {
      const socket = await this.http.openSocket(address.broker, signal);
      const opening = this.openPublisher(socket, address, { secret, signal, onRetired });
      return await destroyedOnAbort(socket, signal, opening);
    } finally {
      clearTimeout(timer);
    }
  }
}
