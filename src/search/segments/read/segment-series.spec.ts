import { POST_SEARCH } from '../../../content/posts/post-filter.js';
import { MAX_BUCKETS, type SeriesRequest } from '../../search-request.js';
import type { BucketStart } from '../../sql/aggregates.js';
import { emptyBitmap, fill } from '../format/bitmap.js';
import { KnownValues } from '../format/term-keys.js';
import { countByTime } from './segment-series.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';

/** In microseconds. */
const DAY = 86_400_000_000;
const CREATED = [3.5 * DAY, 5.5 * DAY];

const daysFrom = (first: number, days: number): BucketStart[] =>
  Array.from({ length: days }, (_, day) => ({ start: String((first + day) * DAY) }));

interface Asked {
  interval?: SeriesRequest['interval'];
  filter?: { created_after?: string; created_before?: string };
}

/**
 * Days and counts of two rows in a range of this many days, and the order in which the range and the rows were read.
 */
async function seriesAmong(days: number, { interval = 'day', filter = {} }: Asked = {}) {
  const looks: string[] = [];
  const segment = {
    column: (name: string) => (name === 'created_utc' ? Float64Array.from(CREATED) : new Float64Array(2)),
  } as Segment;
  const snapshot = {
    changedRows: () => Promise.resolve([]),
    rangeOf: () => {
      looks.push('range');
      return Promise.resolve({ lowest: 0, highest: days * DAY - 1 });
    },
    eachSegment: (_match: unknown, _needs: unknown, visit: (segment: Segment, rows: Uint32Array) => void) => {
      looks.push('rows');
      return Promise.resolve(visit(segment, fill(emptyBitmap(), CREATED.length)));
    },
    run: () => {
      const isExact = looks.at(-1) === 'rows';
      return Promise.resolve(isExact ? daysFrom(3, 3) : daysFrom(0, Math.min(days, MAX_BUCKETS + 1)));
    },
  } as unknown as SegmentSnapshot;
  const series = { table: POST_SEARCH, workspaceId: 'w', filter, interval, timezone: 'UTC', splitBy: null };
  const buckets = await countByTime(snapshot, { kind: 'all' }, series, new KnownValues(1));
  return {
    looks,
    days: buckets.map(({ start, count }) => [(start.getTime() * 1_000) / DAY, count]),
  };
}

const BETWEEN = [
  [3, 1],
  [4, 0],
  [5, 1],
];
const AFTER = '1970-01-01T00:00:00Z';
const BEFORE = '1970-01-11T00:00:00Z';

describe('a time series of segments', () => {
  it('has the buckets from the first to the last row, and reads rows once', async () => {
    expect(await seriesAmong(10)).toEqual({ looks: ['range', 'rows'], days: BETWEEN });
  });

  it.each([
    [{ created_after: AFTER }, [[0, 0], [1, 0], [2, 0], ...BETWEEN]],
    [{ created_before: BEFORE }, [...BETWEEN, [6, 0], [7, 0], [8, 0], [9, 0]]],
    [{ created_after: AFTER, created_before: BEFORE }, 10],
  ])('keeps empty buckets at the ends given by %j', async (filter, expected) => {
    const { days } = await seriesAmong(10, { filter });
    if (typeof expected === 'number') expect(days).toHaveLength(expected);
    else expect(days).toEqual(expected);
  });

  it.each<[string, number, Asked]>([
    ['hours', 10, { interval: 'hour' }],
    ['more buckets than a series may have', MAX_BUCKETS + 1, {}],
  ])('finds the first and last row before it counts %s', async (_, days, asked) => {
    const found = await seriesAmong(days, asked);
    expect(found.looks.filter((look) => look === 'rows')).toHaveLength(2);
    expect(found.days).toEqual(BETWEEN);
  });

  it('counts the maximum number of buckets in one pass', async () => {
    expect(await seriesAmong(MAX_BUCKETS)).toEqual({ looks: ['range', 'rows'], days: BETWEEN });
  });
});
