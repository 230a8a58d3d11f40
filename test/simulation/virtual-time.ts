import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** Whose code runs: a process of the service that can be killed and paused. */
export interface Actor {
  readonly name: string;
  isDead: boolean;
  /** Nothing of it runs before this time. */
  pausedUntil: number;
}

interface Entry {
  at: number;
  order: number;
  actor: Actor | null;
  run: () => void;
  isCancelled: boolean;
}

/** A timer as `setTimeout` returns it. */
class VirtualTimer {
  constructor(
    private entry: Entry,
    private readonly again: () => Entry,
  ) {}
  cancel(): void {
    this.entry.isCancelled = true;
  }
  refresh(): this {
    this.cancel();
    this.entry = this.again();
    return this;
  }
  ref = (): this => this;
  unref = (): this => this;
  hasRef = (): boolean => true;
  [Symbol.toPrimitive](): number {
    return this.entry.order;
  }
}

const builtin = createRequire(import.meta.url);
const RealDate = Date;
/** Timers of the machine, for the simulation itself. */
export const real = { setTimeout, clearTimeout, setImmediate, now: performance.now.bind(performance) };

/**
 * The time of a simulation: `Date`, `performance.now` and the timers of all code that an actor runs. It moves only by
 * {@link VirtualTime.advance}. Milliseconds.
 */
export class VirtualTime {
  now = 0;
  /** Changes the delay of a timer, because event loops are late. */
  stretch: (milliseconds: number) => number = (milliseconds) => milliseconds;
  private entries: Entry[] = [];
  private order = 0;
  private readonly actors = new AsyncLocalStorage<Actor>();

  get actor(): Actor | null {
    return this.actors.getStore() ?? null;
  }

  /** Runs code of an actor. */
  as<T>(actor: Actor, work: () => T): T {
    return this.actors.run(actor, work);
  }

  /** Runs code of the simulation itself: its timers are the machine's. */
  outside<T>(work: () => T): T {
    return this.actors.exit(work);
  }

  /** Forgets everything that is planned. */
  reset(now: number): void {
    this.now = now;
    this.entries = [];
    this.order = 0;
  }

  /** Plans work of an actor, or of the world. */
  plan(at: number, run: () => void, actor: Actor | null = null): Entry {
    const entry = { at, order: (this.order += 1), actor, run, isCancelled: false };
    let place = this.entries.length;
    while (place > 0 && this.entries[place - 1]!.at > at) place -= 1;
    this.entries.splice(place, 0, entry);
    return entry;
  }

  /** When the next planned work is due; null when nothing is planned. */
  get nextAt(): number | null {
    while (this.entries[0]?.isCancelled || this.entries[0]?.actor?.isDead) this.entries.shift();
    return this.entries[0]?.at ?? null;
  }

  /** Moves to the next planned work and does it, unless its actor is paused. */
  advance(): void {
    const at = this.nextAt;
    if (at === null) return;
    const entry = this.entries.shift()!;
    this.now = Math.max(this.now, at);
    const { actor } = entry;
    if (actor !== null && actor.pausedUntil > this.now) this.plan(actor.pausedUntil, entry.run, actor);
    else if (actor === null) entry.run();
    else this.as(actor, entry.run);
  }

  /** Replaces the clocks and timers of this process. */
  install(): void {
    const now = (): number => this.now;
    globalThis.Date = class extends RealDate {
      constructor(...given: unknown[]) {
        super(...((given.length === 0 ? [now()] : given) as [number]));
      }
      static override now = now;
      static override [Symbol.hasInstance](value: unknown): boolean {
        return Object.prototype.toString.call(value) === '[object Date]';
      }
    } as DateConstructor;
    performance.now = now;
    const start = (run: () => void, delay: number, repeats: boolean): VirtualTimer => {
      const { actor } = this;
      const bound = AsyncResource.bind(run);
      const add = (): Entry => {
        const entry = this.plan(
          this.now + Math.max(1, this.stretch(delay)),
          () => {
            bound();
            if (repeats && !entry.isCancelled) timer.refresh();
          },
          actor,
        );
        return entry;
      };
      const timer = new VirtualTimer(add(), add);
      return timer;
    };
    const timers =
      (
        repeats: boolean,
        machine: (run: (...given: unknown[]) => void, delay: number, ...given: unknown[]) => unknown,
      ) =>
      (run: (...given: unknown[]) => void, delay = 1, ...given: unknown[]): unknown =>
        this.actor === null ? machine(run, delay, ...given) : start(() => run(...given), delay, repeats);
    const stop = (timer: unknown): void =>
      timer instanceof VirtualTimer ? timer.cancel() : real.clearTimeout(timer as NodeJS.Timeout);
    const sleep = builtin('node:timers/promises') as { setTimeout: unknown };
    const machineSleep = sleep.setTimeout as (...given: unknown[]) => Promise<unknown>;
    sleep.setTimeout = (delay: number, value?: unknown, options: { signal?: AbortSignal } = {}) =>
      this.actor === null
        ? machineSleep(delay, value, options)
        : new Promise((resolve, reject) => {
            const timer = start(() => resolve(value), delay, false);
            const abort = (): void => {
              timer.cancel();
              reject(new DOMException('The operation was aborted', 'AbortError'));
            };
            if (options.signal?.aborted) abort();
            else options.signal?.addEventListener('abort', abort, { once: true });
          });
    Object.assign(globalThis, {
      setTimeout: timers(false, real.setTimeout),
      setInterval: timers(true, setInterval),
      clearTimeout: stop,
      clearInterval: stop,
    });
    syncBuiltinESMExports();
  }
}
