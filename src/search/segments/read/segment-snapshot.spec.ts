import { ClientGoneError } from '../../../http/request/request-scope.js';
import type { SearchedTable } from '../../searched-table.js';
import { BlockCache, CachedBlock } from './block-cache.js';
import { encodeDirectory } from '../format/segment-blocks.js';
import type { Segment } from './segment.js';
import { type SegmentOrder, SegmentSnapshot } from './segment-snapshot.js';
import type { SegmentEntry } from './segment-statements.js';

const ENTRIES: SegmentEntry[] = ['7', '8', '9'].map((id) => [id, 1, 0]);
/** Longer than the time after which segments yield to other requests. */
const LONG_MS = 6;

describe('the segments of a search whose client disconnects', () => {
  /** How many segments are visited when the client disconnects during the visit with this index. */
  async function visitedWhenLeft(during: number): Promise<number> {
    const cache = new BlockCache();
    const directory = encodeDirectory({ ids: 1, columns: {}, sums: {}, ranges: {}, terms: 2, firstKeys: [] });
    for (const [id] of ENTRIES) cache.set(`${id} 0`, new CachedBlock(directory));
    const client = new AbortController();
    if (during < 0) client.abort(new ClientGoneError());
    const run = Object.assign(() => Promise.resolve([]), {
      inBinary: () => Promise.resolve([]),
      client: () => client.signal,
    });
    const table = {} as SearchedTable;
    const snapshot = new SegmentSnapshot('w', table, ENTRIES, [], run, cache);
    let visited = 0;
    const visit = (): void => {
      if (visited === during) client.abort(new ClientGoneError());
      visited += 1;
      for (const end = performance.now() + LONG_MS; performance.now() < end;);
    };
    const all = snapshot.eachSegment({ kind: 'all' }, {}, visit);
    if (during < ENTRIES.length) await expect(all).rejects.toThrow(ClientGoneError);
    else await all;
    return visited;
  }

  it('are not visited if it disconnected before', async () => {
    expect(await visitedWhenLeft(-1)).toBe(0);
  });

  it('are visited up to the one at which it disconnects', async () => {
    expect(await visitedWhenLeft(1)).toBe(2);
  });

  it('are all visited if it stays connected', async () => {
    expect(await visitedWhenLeft(ENTRIES.length)).toBe(ENTRIES.length);
  });
});

describe('the segments of an order', () => {
  const RANGES = [
    { lowest: 3, highest: 4 },
    { lowest: 2, highest: 5 },
    { lowest: 1, highest: 2 },
  ];

  /** The numbers of rows of the segments in the order in which they are visited: 1, 2 and 3 before. */
  async function visited(order?: SegmentOrder): Promise<number[]> {
    const cache = new BlockCache();
    const entries = RANGES.map((range, index): SegmentEntry => {
      const directory = encodeDirectory({
        ids: 1,
        columns: { score: 2 },
        sums: { score: 0 },
        ranges: { score: range },
        terms: 3,
        firstKeys: [],
      });
      cache.set(`${index} 0`, new CachedBlock(directory));
      return [String(index), index + 1, 0];
    });
    const run = Object.assign(() => Promise.resolve([]), { inBinary: () => Promise.resolve([]) });
    const snapshot = new SegmentSnapshot('w', {} as SearchedTable, entries, [], run, cache);
    const rows: number[] = [];
    const visit = (segment: Segment): void => void rows.push(segment.rows);
    await snapshot.eachSegment({ kind: 'all' }, {}, visit, order);
    return rows;
  }

  it('are visited from the one that can have the first value on', async () => {
    expect(await visited()).toEqual([1, 2, 3]);
    expect(await visited({ column: 'score', isDescending: false })).toEqual([3, 2, 1]);
    expect(await visited({ column: 'score', isDescending: true })).toEqual([2, 1, 3]);
  });
});
