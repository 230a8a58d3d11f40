import { growthOf } from './growth.js';

function add(count: number): number {
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum = (sum * 31 + at) | 0;
  return sum;
}

describe('the growth of work', () => {
  it('is about 2 for linear work', async () => {
    const growth = await growthOf((size) => add(size), 200_000);
    expect(growth).toBeGreaterThan(1.5);
    expect(growth).toBeLessThan(2.7);
  });

  it('is about 4 for quadratic work', async () => {
    const growth = await growthOf((size) => add(size * size), 500);
    expect(growth).toBeGreaterThan(3.3);
    expect(growth).toBeLessThan(5);
  });

  it('includes work that is awaited', async () => {
    const growth = await growthOf(async (size) => {
      await Promise.resolve();
      add(size * size);
    }, 500);
    expect(growth).toBeGreaterThan(3.3);
  });
});
