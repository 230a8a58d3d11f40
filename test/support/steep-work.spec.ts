import { isSteep } from './steep-work.js';

const LENGTH = 8_000;

function count(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum = (sum + step) % 1_000_003;
  return sum;
}

describe('isSteep', () => {
  it.each([
    ['no work', () => 0, false],
    ['linear work', (length: number) => count(4_000 * length), false],
    ['linear work that ends early', (length: number) => count(8_000 * Math.min(length, LENGTH / 2)), false],
    ['quadratic work', (length: number) => count(length * length), true],
    [
      'quadratic work that is awaited',
      (length: number) => Promise.resolve().then(() => count(length * length)),
      true,
    ],
  ])('of %s', async (_, work, steep) => {
    expect(await isSteep(work, LENGTH)).toBe(steep);
  });
});
