import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import type { OutgoingEvent } from './transport.js';

/** How long the first event of a batch waits for others, in milliseconds. */
const WINDOW_MS = 1_000;

/** A batch that still takes events. */
interface OpenBatch {
  events: OutgoingEvent[];
  outcome: Promise<DeliveryOutcome>;
  close: () => void;
}

/** Sends the events of a webhook that are handed over within a second together; each gets the outcome of its batch. */
export class EventBatches {
  private readonly open = new Map<string, OpenBatch>();

  /**
   * `sendAll` gets 1 to `maxEvents` events of one webhook with the same address, in their order, and never throws. A full
   * batch waits for nothing.
   */
  constructor(
    private readonly maxEvents: number,
    private readonly sendAll: (events: readonly OutgoingEvent[]) => Promise<DeliveryOutcome>,
  ) {}

  send(event: OutgoingEvent): Promise<DeliveryOutcome> {
    const key = `${event.destination} ${event.url}`;
    const batch = this.open.get(key) ?? this.begin(key);
    batch.events.push(event);
    if (batch.events.length === this.maxEvents) batch.close();
    return batch.outcome;
  }

  private begin(key: string): OpenBatch {
    const events: OutgoingEvent[] = [];
    let close = (): void => {};
    const closed = new Promise<void>((resolve) => {
      const timer = setTimeout(() => close(), WINDOW_MS);
      close = () => {
        clearTimeout(timer);
        this.open.delete(key);
        resolve();
      };
    });
    const batch = { events, outcome: closed.then(() => this.sendAll(events)), close };
    this.open.set(key, batch);
    return batch;
  }
}
