/** Items from producers to several consumers: heaviest first, equals in order. Its producers bound it. */
export class AsyncQueue<T> {
  /** Lightest first, so that the heaviest is popped. */
  private readonly items: T[] = [];
  private readonly waiting: ((item: T | undefined) => void)[] = [];
  private closed = false;

  constructor(private readonly weigh: (item: T) => number = () => 0) {}

  push(item: T): void {
    const taker = this.waiting.shift();
    if (taker) return taker(item);
    let [low, high] = [0, this.items.length];
    const weight = this.weigh(item);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.weigh(this.items[middle]!) < weight) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
  }

  /** No more comes: consumers get what is left, then undefined. */
  close(): void {
    this.closed = true;
    for (const taker of this.waiting.splice(0)) taker(undefined);
  }

  next(): Promise<T | undefined> {
    if (this.items.length > 0 || this.closed) return Promise.resolve(this.items.pop());
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
