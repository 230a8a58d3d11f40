/** Items from producers to several consumers, in order. Its producers bound it. */
export class AsyncQueue<T> {
  private readonly items: T[] = [];
  private readonly waiting: ((item: T | undefined) => void)[] = [];
  private closed = false;

  push(item: T): void {
    const taker = this.waiting.shift();
    if (taker) taker(item);
    else this.items.push(item);
  }

  /** No more comes: consumers get what is left, then undefined. */
  close(): void {
    this.closed = true;
    for (const taker of this.waiting.splice(0)) taker(undefined);
  }

  next(): Promise<T | undefined> {
    if (this.items.length > 0 || this.closed) return Promise.resolve(this.items.shift());
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
