import { StepTimings } from './step-timings.js';

describe('the timings of an execution', () => {
  let at: number;
  let timings: StepTimings;
  beforeEach(() => {
    at = 0;
    timings = new StepTimings(() => at);
  });

  it('adds up the time of a step, even when it fails', async () => {
    await timings.timed('write', () => Promise.resolve((at += 30)));
    const failing = timings.timed('write', () => {
      at += 12.4;
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    expect(timings.record).toEqual({
      listing: 0,
      trees: 0,
      plugins: 0,
      sentiment: 0,
      keywords: 0,
      language: 0,
      write: 42,
      media: 0,
      budget: 0,
    });
  });

  it('counts the time spent waiting for items, not processing them', async () => {
    async function* items(): AsyncGenerator<number> {
      for (const wait of [5, 7]) {
        at += wait;
        yield await Promise.resolve(wait);
      }
      at += 3;
    }
    for await (const wait of timings.timedItems('trees', items())) at += 1_000 * wait;
    expect(timings.record.trees).toBe(15);
  });
});
