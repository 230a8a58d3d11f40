import { jest } from '@jest/globals';

/** Resolvers of the waits that have begun. */
let waits: (() => void)[] = [];
jest.unstable_mockModule('node:timers/promises', () => ({
  setTimeout: (ms: number) => {
    expect(ms).toBe(1_000);
    return new Promise<void>((resolve) => waits.push(resolve));
  },
}));
const { RefusalDelay } = await import('./refusal-delay.js');

describe('RefusalDelay', () => {
  beforeEach(() => void (waits = []));

  it('delays the refusals of a sender after its first hundred', () => {
    const delay = new RefusalDelay();
    for (let refusal = 1; refusal <= 100; refusal += 1) void delay.wait('eager');
    expect(waits).toHaveLength(0);
    void delay.wait('eager');
    void delay.wait('other');
    expect(waits).toHaveLength(1);
  });

  it('remembers the last ten thousand senders', () => {
    const delay = new RefusalDelay();
    const refuseOthers = (count: number): void => {
      for (let sender = 0; sender < count; sender += 1) void delay.wait(`other ${sender}`);
    };
    for (let refusal = 1; refusal <= 100; refusal += 1) void delay.wait('eager');
    refuseOthers(9_999);
    void delay.wait('eager');
    expect(waits).toHaveLength(1);
    refuseOthers(10_000);
    void delay.wait('eager');
    expect(waits).toHaveLength(1);
  });

  it('delays at most a thousand at a time', async () => {
    const delay = new RefusalDelay();
    const delayed = Array.from({ length: 1_101 }, () => delay.wait('eager'));
    expect(waits).toHaveLength(1_000);
    waits[0]!();
    await delayed[100];
    void delay.wait('eager');
    expect(waits).toHaveLength(1_001);
  });
});
