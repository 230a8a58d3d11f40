import { type PlatformSession } from '../platform.js';

/** Requests that one session has under way at most. */
export const REQUESTS_AT_ONCE = 8;

interface Gate {
  free: number;
  first: (() => void)[];
  others: (() => void)[];
}

/**
 * Bounds how many requests a session has under way. Whoever walks may have more in hand than that, so that a request
 * leaves as soon as another ends, whatever its answer still has to go through.
 */
export class InFlight {
  private readonly gates = new WeakMap<PlatformSession, Gate>();

  /**
   * Resolves when the request may be sent. `goesFirst` is for links of a chain, of which nothing else can be asked
   * meanwhile. Whoever entered leaves, also after an abort: that is what lets those in the line go.
   */
  async enter(session: PlatformSession, goesFirst: boolean): Promise<void> {
    const gate = this.gateOf(session);
    if (gate.free > 0) gate.free -= 1;
    else await new Promise<void>((resolve) => (goesFirst ? gate.first : gate.others).push(resolve));
  }

  leave(session: PlatformSession): void {
    const gate = this.gateOf(session);
    const next = gate.first.shift() ?? gate.others.shift();
    if (next) next();
    else gate.free += 1;
  }

  private gateOf(session: PlatformSession): Gate {
    let gate = this.gates.get(session);
    if (!gate) this.gates.set(session, (gate = { free: REQUESTS_AT_ONCE, first: [], others: [] }));
    return gate;
  }
}
