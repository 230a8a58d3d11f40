import { type ListingPage, PlatformError, type PlatformPost } from '../../platforms/platform.js';
import { type ListedBatch, type ListingQuery, type ListingSources, listPosts } from './listing.js';
import { START } from './listing-checkpoint.js';
import { StepTimings } from './step-timings.js';
import type { StoredPost } from './stored-post.js';

const GAP = new Date('2026-11-01T12:00:00Z');

const post = (number: number, changes: Partial<PlatformPost> = {}): PlatformPost =>
  ({
    id: `t3_${number}`,
    forum: 'a',
    createdUtc: new Date(-number * 1_000),
    numComments: 2,
    ...changes,
  }) as PlatformPost;
const existing = (changes: Partial<StoredPost> = {}): StoredPost => ({
  forum: 'a',
  numComments: 2,
  hasMissingComments: false,
  scrapedAt: new Date(GAP.getTime() - 1),
  ...changes,
});

describe('listPosts', () => {
  let pages: Map<string | null, ListingPage>;
  let asked: (string | null)[];
  let wanted: number[];
  let aborter: AbortController;
  let milliseconds: number;

  beforeEach(() => {
    [asked, wanted] = [[], []];
    aborter = new AbortController();
    milliseconds = 0;
    pages = new Map([
      [null, { posts: [post(1), post(2)], after: 'a' }],
      ['a', { posts: [post(2), post(3)], after: 'b' }],
      ['b', { posts: [post(4)], after: null }],
    ]);
  });

  const sources = (changes: Partial<ListingSources> = {}): ListingSources => ({
    platform: {
      listings: ['new', 'top'],
      listingCap: 900,
      archive: null,
      fetchListing: (listing, after) => {
        asked.push(after);
        wanted.push(listing.wanted);
        const page = pages.get(after);
        return page ? Promise.resolve(page) : Promise.reject(new Error(`no page ${after}`));
      },
      fetchPosts: () => Promise.reject(new Error('not asked for')),
    },
    findExisting: () => Promise.resolve(new Map()),
    ...changes,
  });
  const query = (changes: Partial<ListingQuery> = {}): ListingQuery => ({
    target: { type: 'forum', name: 'technology' },
    mode: 'full',
    checkpoint: START,
    stored: [],
    room: () => 100,
    needsComments: true,
    gapStart: null,
    since: null,
    session: {
      signal: aborter.signal,
      workspaceId: 'w',
      priority: 'normal',
      onRequest: () => undefined,
    },
    timings: new StepTimings(),
    clock: { now: () => new Date(milliseconds++) },
    ...changes,
  });
  const collect = async (batches: AsyncIterable<ListedBatch>): Promise<ListedBatch[]> => {
    const all: ListedBatch[] = [];
    for await (const batch of batches) all.push(batch);
    return all;
  };
  const ids = (batches: ListedBatch[]): string[][] => batches.map(({ posts }) => posts.map(({ id }) => id));

  it('yields every post once, one batch per page, each with the checkpoint after it', async () => {
    const batches = await collect(listPosts(sources(), query()));
    expect(ids(batches)).toEqual([['t3_1', 't3_2'], ['t3_3'], ['t3_4']]);
    expect(batches.map(({ nextCheckpoint }) => [nextCheckpoint.after, nextCheckpoint.stopReason])).toEqual([
      ['a', null],
      ['b', null],
      [null, 'end_of_listing'],
    ]);
    expect(asked).toEqual([null, 'a', 'b']);
  });

  it('says since when its posts are read, also of pages that were fetched ahead', async () => {
    const batches: ListedBatch[] = [];
    for await (const batch of listPosts(sources(), query())) {
      batches.push(batch);
      milliseconds += 1_000;
    }
    // The first time is that at which the listing began.
    expect(batches.map(({ readAt }) => readAt.getTime())).toEqual([1, 2, 1_003]);
  });

  it('says when a page was given that is still current', async () => {
    milliseconds = 5_000;
    pages.set(null, { posts: [post(1)], after: 'a', givenAt: 4_000 });
    pages.set('a', { posts: [post(2)], after: null, givenAt: 9_000 });
    const batches = await collect(listPosts(sources(), query()));
    expect(batches.map(({ readAt }) => readAt.getTime())).toEqual([4_000, 5_002]);
  });

  it('says since when a batch is read whose pinned post came with an earlier page', async () => {
    const [pinned, ...others] = [post(3), post(1), post(2), post(4), post(5)];
    pages = new Map([
      [null, { posts: [pinned, ...others.slice(0, 2)], after: 'a' }],
      ['a', { posts: others.slice(2), after: 'b' }],
      ['b', { posts: [post(6)], after: null }],
    ]);
    const batches = await collect(listPosts(sources(), query()));
    expect(ids(batches)).toEqual([['t3_1', 't3_2'], ['t3_3', 't3_4', 't3_5'], ['t3_6']]);
    expect(batches.map(({ readAt }) => readAt.getTime())).toEqual([1, 1, 3]);
  });

  it('resumes at a checkpoint without the posts that the job has stored', async () => {
    const [first] = await collect(listPosts(sources(), query()));
    asked = [];
    const rest = listPosts(
      sources(),
      query({ checkpoint: first!.nextCheckpoint, stored: ['t3_1', 't3_2', 't3_4'] }),
    );
    expect(ids(await collect(rest))).toEqual([['t3_3'], []]);
    expect(asked).toEqual(['a', 'b']);
  });

  it('reads nothing at a checkpoint with a stop reason', async () => {
    const checkpoint = { ...START, stopReason: 'limit' as const };
    expect(await collect(listPosts(sources(), query({ checkpoint })))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('requests only as many posts per page as the job has room for', async () => {
    let room = 10;
    for await (const { posts } of listPosts(sources(), query({ room: () => room }))) room -= posts.length;
    expect(wanted).toEqual([10, 8, 7]);
  });

  it('fetches the next page ahead only when it is certain to be needed', async () => {
    const certain = listPosts(sources(), query());
    await certain.next();
    expect(asked).toEqual([null, 'a']);
    await certain.return(undefined);
    asked = [];
    const full = listPosts(sources(), query({ room: () => 2 }));
    await full.next();
    expect(asked).toEqual([null]);
    await full.return(undefined);
  });

  it('throws a failure of the platform at the position of its page', async () => {
    pages.delete('b');
    const batches = listPosts(sources(), query());
    await batches.next();
    await batches.next();
    await expect(batches.next()).rejects.toThrow('no page b');
  });

  it('stops when the execution is aborted', async () => {
    const batches = listPosts(sources(), query());
    await batches.next();
    aborter.abort(new Error('cancelled'));
    await expect(batches.next()).rejects.toThrow('cancelled');
  });

  it('reads a further listing even if it returns cursors of the previous one', async () => {
    const platform = { ...sources().platform, listingCap: 5 };
    const batches = await collect(listPosts(sources({ platform }), query({ mode: 'history' })));
    expect(asked).toEqual([null, 'a', 'b', null, 'a', 'b']);
    expect(batches.at(-1)!.nextCheckpoint).toMatchObject({ step: 1, stopReason: 'listing_cap' });
  });

  it('ends a listing that returns the same cursor twice', async () => {
    pages.set('b', { posts: [post(4)], after: 'a' });
    const batches = await collect(listPosts(sources(), query()));
    expect(asked).toEqual([null, 'a', 'b']);
    expect(batches.at(-1)!.nextCheckpoint.stopReason).toBe('end_of_listing');
  });

  it('continues in the archive, and takes no files of stored posts from it', async () => {
    const media = [{ kind: 'image', url: 'https://i.example/1.png' }] as unknown as PlatformPost['media'];
    const archived = [[post(4), post(5, { media }), post(6, { media })], []];
    const platform: ListingSources['platform'] = {
      ...sources().platform,
      listings: ['new'],
      listingCap: 1,
      archive: { fetchBefore: () => Promise.resolve(archived.shift()!), close: () => undefined },
    };
    const batches = await collect(
      listPosts(
        sources({ platform, findExisting: () => Promise.resolve(new Map([['t3_5', existing()]])) }),
        query({ mode: 'history' }),
      ),
    );
    expect(batches.map(({ isArchived, posts }) => [isArchived, posts.map(({ id }) => id)])).toEqual([
      [false, ['t3_1', 't3_2']],
      [false, ['t3_3']],
      [false, ['t3_4']],
      [true, ['t3_5', 't3_6']],
      [true, []],
    ]);
    expect(batches[3]!.posts.map((one) => one.media)).toEqual([[], media]);
  });

  describe('a listing that begins with pinned posts', () => {
    beforeEach(() => {
      pages = new Map([
        [null, { posts: [post(5), post(90), post(1), post(2)], after: 'a' }],
        ['a', { posts: [post(3), post(6)], after: 'b' }],
        ['b', { posts: [post(7)], after: null }],
      ]);
    });

    it('is put into the order of time', async () => {
      const batches = await collect(listPosts(sources(), query()));
      expect(ids(batches)).toEqual([
        ['t3_1', 't3_2'],
        ['t3_3', 't3_5', 't3_6'],
        ['t3_7', 't3_90'],
      ]);
    });

    it('is continued in the archive from the oldest post that is not pinned', async () => {
      const asked: unknown[] = [];
      const platform: ListingSources['platform'] = {
        ...sources().platform,
        listings: ['new'],
        listingCap: 1,
        archive: {
          fetchBefore: (_target, before) => (asked.push(before), Promise.resolve([])),
          close: () => undefined,
        },
      };
      await collect(listPosts(sources({ platform }), query({ mode: 'history' })));
      expect(asked).toEqual([new Date(-7_000 + 1_000)]);
    });

    it('keeps them when it is resumed', async () => {
      const [first] = await collect(listPosts(sources(), query()));
      const platform = {
        ...sources().platform,
        fetchPosts: (wanted: readonly string[]) =>
          Promise.resolve(wanted.map((id) => post(Number(id.slice(3))))),
      };
      const rest = listPosts(
        sources({ platform }),
        query({ checkpoint: first!.nextCheckpoint, stored: ['t3_1', 't3_2'] }),
      );
      expect(ids(await collect(rest))).toEqual([
        ['t3_3', 't3_5', 't3_6'],
        ['t3_7', 't3_90'],
      ]);
    });

    it('is up to date at its first page in mode monitor, whether or not they are stored', async () => {
      const stored = new Map([1, 2].map((number) => [`t3_${number}`, existing()]));
      const findExisting = () => Promise.resolve(stored);
      const batches = await collect(listPosts(sources({ findExisting }), query({ mode: 'monitor' })));
      expect(batches.map(({ nextCheckpoint }) => nextCheckpoint.stopReason)).toEqual(['up_to_date']);
    });
  });

  describe('in mode history', () => {
    const refusal = new PlatformError('target_forbidden', 'the account hides what it posts');
    const refused = (archived: PlatformPost[][]): ListingSources => {
      const platform: ListingSources['platform'] = {
        ...sources().platform,
        fetchListing: () => Promise.reject(refusal),
        archive: { fetchBefore: () => Promise.resolve(archived.shift()!), close: () => undefined },
      };
      return sources({ platform });
    };

    it('reads the archive of a target whose listing is refused', async () => {
      const batches = await collect(listPosts(refused([[post(8)], []]), query({ mode: 'history' })));
      expect(batches.map(({ isArchived, failure }) => [isArchived, failure])).toEqual([
        [true, refusal.message],
        [true, null],
      ]);
      expect(ids(batches)).toEqual([['t3_8'], []]);
    });

    it('fails with the refusal when the archive has nothing either', async () => {
      await expect(collect(listPosts(refused([[]]), query({ mode: 'history' })))).rejects.toBe(refusal);
    });

    it.each(['full', 'monitor'] as const)('in mode %s fails with the refusal', async (mode) => {
      await expect(collect(listPosts(refused([[post(8)]]), query({ mode })))).rejects.toBe(refusal);
    });

    it.each([
      { failing: ['top'], fails: false },
      { failing: ['top', 'hot', 'best'], fails: true },
      { failing: ['new'], fails: true },
    ])('with listings $failing that cannot be read fails: $fails', async ({ failing, fails }) => {
      const unavailable = new PlatformError('unavailable', 'status 500');
      const platform: ListingSources['platform'] = {
        ...sources().platform,
        listings: ['new', 'top', 'hot', 'best'],
        listingCap: 1,
        fetchListing: ({ name }) =>
          failing.includes(name)
            ? Promise.reject(unavailable)
            : Promise.resolve({ posts: [post(name.length)], after: null }),
      };
      const all = collect(listPosts(sources({ platform }), query({ mode: 'history' })));
      if (fails) return expect(all).rejects.toBe(unavailable);
      const batches = await all;
      expect(batches.map(({ failure }) => failure)).toEqual([null, 'status 500', null, null]);
      expect(batches.at(-1)!.nextCheckpoint.stopReason).toBe('listing_cap');
    });
  });

  describe('in mode monitor', () => {
    const monitor = (stored: Record<string, StoredPost>, changes: Partial<ListingQuery> = {}) =>
      collect(
        listPosts(
          sources({
            findExisting: (ids) =>
              Promise.resolve(new Map(Object.entries(stored).filter(([id]) => ids.includes(id)))),
          }),
          query({ mode: 'monitor', ...changes }),
        ),
      );

    it('refreshes stored posts and ends at a page that contains only stored posts', async () => {
      const batches = await monitor({
        t3_1: existing(),
        t3_2: existing({ numComments: 1 }),
      });
      expect(ids(batches)).toEqual([['t3_1', 't3_2']]);
      expect(batches[0]!.nextCheckpoint.stopReason).toBe('up_to_date');
      expect([...batches[0]!.unchangedComments]).toEqual(['t3_1']);
    });

    it('does not treat comments as unchanged when an earlier job skipped them', async () => {
      const batches = await monitor({ t3_1: existing(), t3_2: existing({ hasMissingComments: true }) });
      expect([...batches[0]!.unchangedComments]).toEqual(['t3_1']);
    });

    it('does not treat comments as unchanged when the post has moved to another forum', async () => {
      const batches = await monitor({ t3_1: existing(), t3_2: existing({ forum: 'b' }) });
      expect([...batches[0]!.unchangedComments]).toEqual(['t3_1']);
    });

    it('reads past posts stored since a gap began, unless comments are missing', async () => {
      const since = existing({ scrapedAt: GAP });
      const batches = await monitor(
        { t3_1: since, t3_2: { ...since, hasMissingComments: true }, t3_3: since, t3_4: since },
        { gapStart: GAP },
      );
      expect(ids(batches)).toEqual([['t3_2'], [], []]);
    });
  });

  it('continues in the archive until no older posts are returned', async () => {
    const asked: (string | null)[] = [];
    const archive: ListingSources['platform']['archive'] = {
      close: () => undefined,
      fetchBefore: (_target, before) => {
        asked.push(before && before.toISOString());
        return Promise.resolve(asked.length === 1 ? [post(1), post(9)] : []);
      },
    };
    const checkpoint = { ...START, step: 2, before: '1970-01-01T00:00:00.000Z' };
    const batches = await collect(
      listPosts(
        { ...sources(), platform: { ...sources().platform, archive } },
        query({ mode: 'history', checkpoint, stored: ['t3_1'] }),
      ),
    );
    expect(ids(batches)).toEqual([['t3_9'], []]);
    expect(asked).toEqual(['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:51.000Z']);
    expect(batches.at(-1)!.nextCheckpoint.stopReason).toBe('end_of_listing');
  });
});
