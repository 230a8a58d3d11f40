import { ItemFaults, lookUpInParts } from './item-faults.js';
import { PlatformError } from './platform.js';

const failed = new PlatformError('unavailable', 'status 500');

describe('faults of items', () => {
  it('end the work when a number of items fail in a row', () => {
    const faults = new ItemFaults(3);
    expect([1, 2, 3].map(() => faults.passesOver(failed))).toEqual([true, true, false]);
  });

  it('are passed over while another item is read, even if they all began together', () => {
    const faults = new ItemFaults(2);
    const began = faults.begin();
    faults.succeeded();
    expect([1, 2, 3, 4].map(() => faults.passesOver(failed, began))).toEqual([true, true, true, true]);
    faults.finish();
  });
});

describe('a lookup in parts', () => {
  const ids = Array.from({ length: 100 }, (_, at) => at);
  const lookUp = (bad: ReadonlySet<number>, calls: number[]) => (part: readonly number[]) => {
    calls.push(part.length);
    return part.some((id) => bad.has(id)) ? Promise.reject(failed) : Promise.resolve([...part]);
  };

  it.each([0, 37, 99])('finds all but the id %d that cannot be looked up', async (bad) => {
    const calls: number[] = [];
    const found = await lookUpInParts(ids, lookUp(new Set([bad]), calls));
    expect(found.sort((a, b) => a - b)).toEqual(ids.filter((id) => id !== bad));
    expect(calls.length).toBeLessThan(20);
  });

  it('fails after few requests when everything fails', async () => {
    const calls: number[] = [];
    await expect(lookUpInParts(ids, lookUp(new Set(ids), calls))).rejects.toBe(failed);
    expect(calls).toHaveLength(5);
  });

  it('looks nothing up without ids', async () => {
    expect(await lookUpInParts([], () => Promise.reject(failed))).toEqual([]);
  });
});
