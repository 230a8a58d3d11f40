import { type PlatformSession } from '../platform.js';

/** Maximum number of requests of one session in flight at the same time. */
export const REQUESTS_AT_ONCE = 8;

interface SessionState {
  free: number;
  urgent: (() => void)[];
  normal: (() => void)[];
}

/**
 * Limits each session to {@link REQUESTS_AT_ONCE} requests in flight. Urgent requests start before the others, which is
 * why `p-limit` (first in, first out) does not fit.
 */
export class SessionConcurrencyLimit {
  private readonly sessions = new WeakMap<PlatformSession, SessionState>();

  /**
   * Runs `work` as soon as a slot is free. `isUrgent` is for requests that others depend on (the pages of a listing,
   * the batches of a tree). `work` also runs for an aborted session and should then throw at once.
   */
  async run<T>(session: PlatformSession, isUrgent: boolean, work: () => Promise<T>): Promise<T> {
    const state = this.stateOf(session);
    if (state.free > 0) state.free -= 1;
    else await new Promise<void>((start) => (isUrgent ? state.urgent : state.normal).push(start));
    try {
      return await work();
    } finally {
      const startNext = state.urgent.shift() ?? state.normal.shift();
      if (startNext) startNext();
      else state.free += 1;
    }
  }

  private stateOf(session: PlatformSession): SessionState {
    let state = this.sessions.get(session);
    if (!state) this.sessions.set(session, (state = { free: REQUESTS_AT_ONCE, urgent: [], normal: [] }));
    return state;
  }
}
