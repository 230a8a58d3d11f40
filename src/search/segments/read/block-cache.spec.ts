import { BlockCache, CachedBlock, indexBytes } from './block-cache.js';
import { encodeColumn } from '../format/segment-blocks.js';

const GIGABYTE = 2 ** 30;

describe('the memory limit of the index', () => {
  it.each([
    ['an eighth of a machine without a container', 24, 0, 3],
    ["half of a container's", 24, 1, 0.5],
    ['an eighth of a machine with a container that may take all of it', 8, 8, 1],
    ['an eighth of a machine with a container without a limit', 8, 2 ** 34, 1],
    ['64 MB of the smallest', 0.25, 0.0625, 0.0625],
  ])('is %s', (_, machine, container, expected) => {
    expect(indexBytes(machine * GIGABYTE, container * GIGABYTE)).toBe(expected * GIGABYTE);
  });
});

describe('the block cache', () => {
  it('counts its bytes, and drops the oldest blocks beyond two thirds of the limit', () => {
    const cache = new BlockCache(30_000);
    const block = (): CachedBlock => new CachedBlock(Buffer.alloc(2_000));
    cache.set('first', block());
    const each = cache.bytes;
    expect(each).toBeGreaterThan(4_000);
    for (const key of ['second', 'third', 'fourth', 'fifth']) cache.set(key, block());
    expect(cache.bytes).toBe(4 * each);
    expect(cache.get('first')).toBeUndefined();
    expect(cache.get('fifth')).toBeDefined();
  });
});

describe('a cached block', () => {
  it('does not keep its bytes beside what was parsed from them', () => {
    const block = new CachedBlock(encodeColumn([1, 2]));
    expect([...block.column()]).toEqual([1, 2]);
    expect(block.bytes).toHaveLength(0);
    expect([...block.column()]).toEqual([1, 2]);
  });
});
