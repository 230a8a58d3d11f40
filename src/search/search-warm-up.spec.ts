import type { Environment } from '../config/environment.js';
import type { RunSearch, SearchDatabase } from './search-database.js';
import { SearchWarmUp } from './search-warm-up.js';
import { BlockCache, type CachedBlock } from './segments/read/block-cache.js';
import { encodeDirectory } from './segments/format/segment-blocks.js';
import { rowsOfBlocks, SEGMENT_ID, wantedBlocks } from '../../test/factories/segments.js';

const DIRECTORY = encodeDirectory({ ids: 1, columns: {}, sums: {}, ranges: {}, terms: 2, firstKeys: [] });

/** The database of a workspace with one segment, and the numbers of the blocks that are read. */
function databaseOf(largest: () => Promise<string | null>) {
  const read: number[] = [];
  const run = Object.assign(() => Promise.resolve([{ id: SEGMENT_ID, rows: 1 }]), {
    inBinary: (sql: Parameters<RunSearch['inBinary']>[0]) => {
      const numbers = wantedBlocks(sql);
      read.push(...numbers);
      return Promise.resolve(rowsOfBlocks(numbers, [DIRECTORY]));
    },
  }) as unknown as RunSearch;
  const database: Pick<SearchDatabase, 'run' | 'largestIndex'> = {
    run: (_, search) => search(run),
    largestIndex: largest,
  };
  return { database: database as SearchDatabase, read };
}

async function warmedUp(largest: () => Promise<string | null>, ...ROLES: Environment['ROLES']) {
  const { database, read } = databaseOf(largest);
  const blocks = new BlockCache(1_000_000);
  await new SearchWarmUp(database, blocks, { ROLES } as Environment).onApplicationBootstrap();
  return { read, isCached: blocks.get<CachedBlock>(`${SEGMENT_ID} 0`) !== undefined };
}

describe('the warm-up of searches', () => {
  it('reads only directories, of the largest index', async () => {
    expect(await warmedUp(() => Promise.resolve('w'), 'api')).toEqual({ read: [0], isCached: true });
  });

  it('reads nothing without an index, and in processes that are no API', async () => {
    const nothing = { read: [], isCached: false };
    expect(await warmedUp(() => Promise.resolve(null), 'api')).toEqual(nothing);
    expect(await warmedUp(() => Promise.resolve('w'), 'worker')).toEqual(nothing);
  });

  it('leaves the service running when it fails', async () => {
    expect(await warmedUp(() => Promise.reject(new Error('lost')), 'api')).toEqual({
      read: [],
      isCached: false,
    });
  });
});
