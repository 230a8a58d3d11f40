import { firstIndex } from '../../common/collections.js';

/**
 * A queue between producers and several consumers. Yields the heaviest item first, and items of equal weight in
 * insertion order. Unbounded: producers must limit the number of items. Each consumer iterates until the queue is
 * closed and empty.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  /** Sorted by ascending weight, so that `pop` returns the heaviest. */
  private readonly items: T[] = [];
  private readonly consumers: ((item: T | undefined) => void)[] = [];
  private closed = false;
  /** Number of items that consumers are working on. */
  private taken = 0;

  constructor(private readonly weightOf: (item: T) => number = () => 0) {}

  /** Number of items that are queued or still being processed. */
  get unfinished(): number {
    return this.items.length + this.taken;
  }

  /** Adds an item. */
  push(item: T): void {
    const consumer = this.consumers.shift();
    if (consumer) return consumer(item);
    const weight = this.weightOf(item);
    const place = firstIndex(this.items.length, (index) => this.weightOf(this.items[index]!) >= weight);
    this.items.splice(place, 0, item);
  }

  /** Closes the queue: consumers receive the remaining items and then finish. */
  close(): void {
    this.closed = true;
    for (const consumer of this.consumers.splice(0)) consumer(undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let item = await this.next(); item !== undefined; item = await this.next()) {
      this.taken += 1;
      try {
        yield item;
      } finally {
        this.taken -= 1;
      }
    }
  }

  private next(): Promise<T | undefined> {
    if (this.items.length > 0 || this.closed) return Promise.resolve(this.items.pop());
    return new Promise((resolve) => this.consumers.push(resolve));
  }
}
