import { Problem } from '../../http/problem.js';

/** How many may work at once, how many may wait for a place, and for how long (milliseconds). */
export interface SlotLimits {
  running: number;
  waiting: number;
  waitMs: number;
}

const RETRY_AFTER_SECONDS = '10';

/** Lets a bounded number work at once; the others wait in line, bounded in number and time. */
export class ExportSlots {
  private running = 0;
  private readonly line: (() => void)[] = [];

  constructor(private readonly limits: SlotLimits) {}

  /** Waits for a place; call what it returns, once, to give it back. Throws 503 when the line is full or too slow. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.running >= this.limits.running) await this.wait(signal);
    else this.running += 1;
    return () => this.giveBack();
  }

  private wait(signal: AbortSignal): Promise<void> {
    if (this.line.length >= this.limits.waiting) throw busy();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        act();
      };
      const turn = () => settle(resolve);
      const stepOut = (why: Problem) => {
        this.line.splice(this.line.indexOf(turn), 1);
        settle(() => reject(why));
      };
      const leave = () => stepOut(busy());
      const timer = setTimeout(leave, this.limits.waitMs);
      signal.addEventListener('abort', leave);
      this.line.push(turn);
    });
  }

  private giveBack(): void {
    // A place goes from hand to hand, so that nobody who comes later gets before the line.
    const next = this.line.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'Too many exports are being made; please try again shortly', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
