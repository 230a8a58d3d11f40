import { ENRICHMENT_STEPS } from '../../enrichment/enrichment-step.js';

/**
 * The steps in which an execution spends its time, in milliseconds. Steps overlap and most of them run several times at
 * once, so their sum exceeds the duration. `budget`, the wait for the request budget, is part of `listing` and `trees`.
 */
const STEPS = ['listing', 'trees', ...ENRICHMENT_STEPS, 'write', 'media', 'budget'] as const;
/** Name of a step in the log line of an execution. */
export type Step = (typeof STEPS)[number];

/** Adds up the time spent in each step. */
export class StepTimings {
  private readonly spent = new Map<Step, number>(STEPS.map((step) => [step, 0]));

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Milliseconds by step. */
  get record(): Record<Step, number> {
    return Object.fromEntries([...this.spent].map(([step, ms]) => [step, Math.round(ms)])) as Record<
      Step,
      number
    >;
  }

  add(step: Step, milliseconds: number): void {
    this.spent.set(step, this.spent.get(step)! + milliseconds);
  }

  /** Counts the duration of the work, even when it fails. */
  async timed<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const began = this.now();
    try {
      return await work();
    } finally {
      this.add(step, this.now() - began);
    }
  }

  /** Like {@link StepTimings.timed}, for synchronous work. */
  timedSync<T>(step: Step, work: () => T): T {
    const began = this.now();
    try {
      return work();
    } finally {
      this.add(step, this.now() - began);
    }
  }

  /** Counts the time spent waiting for items, not processing them. */
  async *timedItems<T>(step: Step, items: AsyncIterable<T>): AsyncGenerator<T> {
    let began = this.now();
    for await (const item of items) {
      this.add(step, this.now() - began);
      yield item;
      began = this.now();
    }
    this.add(step, this.now() - began);
  }
}
