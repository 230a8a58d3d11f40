import { PlatformError, type PlatformSession } from './platform.js';

/** A page of a list of the comments of all threads, each with its thread. */
export interface FeedPage<Item> {
  items: readonly (readonly [thread: string, item: Item])[];
  isLast: boolean;
}

/** More pages than a job keeps the comments of. */
const MAX_PAGES = 200;

/** The comments of many threads, from one list of all of them that is read as far back as threads need it. */
export class ThreadFeed<Item> {
  private readonly threads = new Map<string, Item[]>();
  private pages = 0;
  private isEnded = false;
  private reading: Promise<void> | null = null;

  /** `readPage` reads the next page of the list at each call. */
  constructor(private readonly readPage: (session: PlatformSession) => Promise<FeedPage<Item>>) {}

  /** Whether a page has been requested. */
  get hasBegun(): boolean {
    return this.pages > 0;
  }

  /** What the list has of a thread, in its order: all of it as soon as `isWhole` says so. Each thread is given once. */
  async take(
    thread: string,
    isWhole: (items: readonly Item[]) => boolean,
    session: PlatformSession,
  ): Promise<Item[]> {
    while (!this.isEnded && !isWhole(this.threads.get(thread) ?? [])) {
      this.reading ??= this.readNext(session).finally(() => (this.reading = null));
      await this.reading;
    }
    const items = this.threads.get(thread) ?? [];
    this.threads.delete(thread);
    return items;
  }

  /** A list that cannot be read has ended: its threads can still be read one by one. */
  private async readNext(session: PlatformSession): Promise<void> {
    this.pages += 1;
    try {
      const { items, isLast } = await this.readPage(session);
      for (const [thread, item] of items) {
        const known = this.threads.get(thread);
        if (known) known.push(item);
        else this.threads.set(thread, [item]);
      }
      this.isEnded = isLast || this.pages >= MAX_PAGES;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.isEnded = true;
    }
  }
}
