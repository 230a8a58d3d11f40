import { jest } from '@jest/globals';
import { rowsOfBlocks, SEGMENT_ID, wantedBlocks } from '../../../../test/factories/segments.js';
import type { Sql } from '../../../database/sql.js';
import { BlockCache, CachedBlock } from './block-cache.js';
import { encodeColumn, encodeDirectory, SegmentIds } from '../format/segment-blocks.js';
import { SegmentLoader } from './segment-loader.js';
import type { SegmentEntry } from './segment-statements.js';

const BLOCKS = [
  encodeDirectory({ ids: 1, columns: {}, sums: {}, ranges: {}, terms: 2, firstKeys: [] }),
  SegmentIds.encode(['t3_a']),
];

/** A connection whose reads end when the test releases them. */
class Connection {
  readonly reads: { end: () => void; fail: () => void }[] = [];

  readonly run = Object.assign(() => Promise.resolve([]), {
    inBinary: (sql: Sql): Promise<Buffer[][]> =>
      new Promise((resolve, reject) => {
        const end = () => resolve(rowsOfBlocks(wantedBlocks(sql), BLOCKS));
        this.reads.push({ end, fail: () => reject(new Error('read failed')) });
      }),
  });
}

/** Runs everything that waits for nothing external. */
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('blocks that several searches need at once', () => {
  let cache: BlockCache;
  let connections: [Connection, Connection];

  beforeEach(() => {
    jest.useFakeTimers();
    cache = new BlockCache();
    connections = [new Connection(), new Connection()];
  });
  afterEach(() => jest.useRealTimers());

  /** The first id of the segment, as a search on this connection loads it. */
  const firstId = async ({ run }: Connection): Promise<string> => {
    const needs = { terms: [], columns: [], ids: true };
    const [segment] = await new SegmentLoader('w', cache, run).load([[SEGMENT_ID, 1, 0]], () => needs);
    return segment!.idOf(0);
  };
  const reads = () => connections.map((connection) => connection.reads.length);

  it('are read once', async () => {
    const found = Promise.all(connections.map(firstId));
    for (let block = 0; block < BLOCKS.length; block += 1) {
      await settle();
      expect(reads()).toEqual([block + 1, 0]);
      connections[0].reads[block]!.end();
    }
    expect(await found).toEqual(['t3_a', 't3_a']);
    expect(await firstId(connections[1])).toBe('t3_a');
    expect(reads()).toEqual([2, 0]);
  });

  it('are read by the waiting search when the other one fails', async () => {
    const [failing, waiting] = connections.map(firstId);
    const failed = expect(failing).rejects.toThrow('read failed');
    await settle();
    connections[0].reads[0]!.fail();
    await failed;
    await settle();
    expect(reads()).toEqual([1, 1]);
    connections[1].reads[0]!.end();
    await settle();
    connections[1].reads[1]!.end();
    expect(await waiting).toBe('t3_a');
  });

  it('are not waited for after their read has failed', async () => {
    const failing = firstId(connections[0]);
    await settle();
    const failed = expect(failing).rejects.toThrow('read failed');
    connections[0].reads[0]!.fail();
    await failed;
    for (let number = 0; number < BLOCKS.length; number += 1)
      expect(cache.loading(`7 ${number}`)).toBeUndefined();
  });

  it('are read by the waiting search when the other one takes more than a second', async () => {
    const [slow, waiting] = connections.map(firstId);
    await jest.advanceTimersByTimeAsync(999);
    expect(reads()).toEqual([1, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect(reads()).toEqual([1, 1]);
    connections[1].reads[0]!.end();
    await settle();
    connections[1].reads[1]!.end();
    expect(await waiting).toBe('t3_a');
    connections[0].reads[0]!.end();
    expect(await slow).toBe('t3_a');
    expect(reads()).toEqual([1, 2]);
  });
});

describe('the segments that are loaded at once', () => {
  const ROWS = 1_000;
  const ENTRIES: SegmentEntry[] = ['7', '8', '9'].map((id) => [id, ROWS, 0]);

  /** How many segments are loaded with up to so many bytes, when the cache has the columns of these. */
  async function loadedWith(mostBytes: number, cached: string[] = []): Promise<number> {
    const cache = new BlockCache();
    const directory = encodeDirectory({
      ids: 1,
      columns: { score: 2 },
      sums: { score: 5 },
      ranges: { score: { lowest: 5, highest: 5 } },
      terms: 3,
      firstKeys: [],
    });
    for (const [id] of ENTRIES) cache.set(`${id} 0`, new CachedBlock(directory));
    for (const id of cached) cache.set(`${id} 2`, new CachedBlock(encodeColumn([5])));
    const run = Object.assign(() => Promise.resolve([]), { inBinary: () => Promise.resolve([]) });
    const needs = { terms: [], columns: ['score'], ids: false };
    return (await new SegmentLoader('w', cache, run).load(ENTRIES, () => needs, mostBytes)).length;
  }
  const bytesOf = (columns: number): number => columns * ROWS * Float64Array.BYTES_PER_ELEMENT;

  it('are those whose data may be read at once, and at least one', async () => {
    expect(await loadedWith(1)).toBe(1);
    expect(await loadedWith(bytesOf(2))).toBe(2);
    expect(await loadedWith(bytesOf(3))).toBe(3);
  });

  it('do not count data that is in memory', async () => {
    expect(await loadedWith(bytesOf(1), ['7', '8'])).toBe(3);
    expect(await loadedWith(bytesOf(1), ['8', '9'])).toBe(1);
  });
});
