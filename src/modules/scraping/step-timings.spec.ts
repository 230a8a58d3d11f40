import { StepTimings } from './step-timings.js';

describe('the timings of an execution', () => {
  let at: number;
  let timings: StepTimings;
  beforeEach(() => {
    at = 0;
    timings = new StepTimings(() => at);
  });

  it('adds up what a step takes, also when it fails', async () => {
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
      write: 42,
      media: 0,
      budget: 0,
    });
  });

  it('counts the waits for items and not what is done with them', async () => {
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
