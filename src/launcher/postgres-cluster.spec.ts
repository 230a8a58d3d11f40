import { parallelWorkers, sharedBuffersMb } from './postgres-cluster.js';

describe('the cache of the embedded Postgres', () => {
  it.each([
    [256, 128],
    [1_024, 256],
    [8_192, 2_048],
    [65_536, 4_096],
  ])('on a machine with %d MB of memory has %d MB', (memory, expected) => {
    expect(sharedBuffersMb(memory)).toBe(expected);
  });
});

it.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [64, 8],
])('with %d processors, uses up to %d parallel workers', (processors, expected) => {
  expect(parallelWorkers(processors)).toBe(expected);
});
