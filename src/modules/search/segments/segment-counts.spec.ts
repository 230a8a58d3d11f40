import { LENGTH_COLUMN } from '../relevance/score-sql.js';
import { countByValue } from './segment-counts.js';
import type { SegmentSnapshot } from './segment-snapshot.js';

interface Filter {
  q?: string;
}

describe('facets', () => {
  /** What facets under a filter read of the segments. */
  const needsUnder = async (filter: Filter): Promise<unknown> => {
    let needs: unknown;
    const snapshot = {
      eachSegment: (_match: unknown, read: unknown) => Promise.resolve(void (needs = read)),
      changedRows: () => Promise.resolve([]),
    } as unknown as SegmentSnapshot<Filter>;
    const facets = { forum: { expression: 'forum', kind: 'name' as const } };
    await countByValue(snapshot, facets, filter, { kind: 'all' }, ['forum']);
    return needs;
  };

  it('of all words read what the first page of words needs, those of words do not', async () => {
    expect(await needsUnder({})).toMatchObject({ columns: [LENGTH_COLUMN], ids: true });
    expect(await needsUnder({ q: 'solar' })).toMatchObject({ columns: [] });
  });
});
