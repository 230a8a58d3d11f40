import type { PlatformSession } from '../platform.js';

/** Values that one part of a session's work reads and another part needs, up to a total weight for each session. */
export class SessionCache<V> {
  private readonly sessions = new WeakMap<PlatformSession, { values: Map<string, V>; weight: number }>();

  constructor(
    private readonly weightOf: (value: V) => number,
    private readonly maxWeight: number,
  ) {}

  /** Keeps a value; the oldest ones give way when the session's values weigh too much together. */
  put(session: PlatformSession, key: string, value: V): void {
    let cache = this.sessions.get(session);
    if (!cache) this.sessions.set(session, (cache = { values: new Map(), weight: 0 }));
    this.take(session, key);
    cache.values.set(key, value);
    cache.weight += this.weightOf(value);
    for (const oldest of cache.values.keys()) {
      if (cache.weight <= this.maxWeight) break;
      this.take(session, oldest);
    }
  }

  /** Removes a value and returns it; undefined if there is none. */
  take(session: PlatformSession, key: string): V | undefined {
    const cache = this.sessions.get(session);
    const value = cache?.values.get(key);
    if (cache && value !== undefined) {
      cache.values.delete(key);
      cache.weight -= this.weightOf(value);
    }
    return value;
  }
}
