/**
 * What a run spends its time on. Steps overlap and most have several lanes, so their sum is more than the clock's time;
 * `budget`, the wait for the request budget, is part of `listing` and `trees`.
 */
export const STEPS = ['listing', 'trees', 'enrich', 'write', 'media', 'budget'] as const;
export type Step = (typeof STEPS)[number];

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

  /** Counts the work's time, also when it fails. */
  async timed<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const began = this.now();
    try {
      return await work();
    } finally {
      this.add(step, this.now() - began);
    }
  }

  /** Counts the waits for items, not what is done with them. */
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
