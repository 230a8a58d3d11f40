import {
  afterArchivePage,
  afterPage,
  type PageFacts,
  planListings,
  stopAtLimit,
  type ListingRules,
} from './listing-plan.js';
import type { Archive, Platform } from '../../platforms/platform.js';
import { START } from './listing-checkpoint.js';

const page = (facts: Partial<PageFacts> = {}): PageFacts => ({
  items: 100,
  unseen: 100,
  alreadyStored: 0,
  newest: '2026-01-02T01:00:00.000Z',
  oldest: '2026-01-02T00:00:00.000Z',
  after: 't3_next',
  isCut: false,
  repeatsCursor: false,
  ...facts,
});
const platform: Pick<Platform, 'listings' | 'listingCap' | 'archive'> = {
  listings: ['new', 'best/year', 'best/day'],
  listingCap: 900,
  archive: null,
};
const rules = (
  mode: ListingRules['mode'],
  { hasArchive = false, type = 'forum' }: { hasArchive?: boolean; type?: 'forum' | 'user' } = {},
): ListingRules => ({
  mode,
  platform: { ...platform, archive: hasArchive ? ({} as Archive) : null },
  target: { type },
});

describe('planListings', () => {
  it('reads only the newest posts, or for history every listing of the platform', () => {
    expect(planListings('full', platform)).toEqual(['new']);
    expect(planListings('monitor', platform)).toEqual(['new']);
    expect(planListings('history', platform)).toEqual(platform.listings);
  });
});

describe('afterPage', () => {
  it('continues, and stops at the limit or the end', () => {
    expect(afterPage(START, page(), rules('full'))).toMatchObject({ after: 't3_next', stopReason: null });
    expect(stopAtLimit(afterPage(START, page(), rules('full'))).stopReason).toBe('limit');
    expect(stopAtLimit(afterPage(START, page({ after: null }), rules('full'))).stopReason).toBe('limit');
    expect(afterPage(START, page({ after: null }), rules('full')).stopReason).toBe('end_of_listing');
  });

  it('distinguishes the listing limit of the platform from the end of a forum', () => {
    const late = { ...START, items: 880, pages: 9 };
    expect(afterPage(late, page({ after: null }), rules('full')).stopReason).toBe('listing_cap');
    expect(afterPage(late, page({ after: null, items: 20 }), rules('full')).stopReason).toBe('listing_cap');
    expect(afterPage(late, page({ after: null, items: 19 }), rules('full')).stopReason).toBe(
      'end_of_listing',
    );
    expect(afterPage(late, page({ after: null, items: 5 }), rules('full')).stopReason).toBe('end_of_listing');
  });

  it('never reports a listing cap for a platform that has none', () => {
    const late = { ...START, items: 5_000, pages: 5 };
    const uncapped = { ...rules('full'), platform: { ...platform, listingCap: null } };
    expect(afterPage(late, page({ after: null }), uncapped).stopReason).toBe('end_of_listing');
  });

  it('ends a listing that repeats itself', () => {
    expect(afterPage(START, page({ repeatsCursor: true }), rules('full')).stopReason).toBe('end_of_listing');
    expect(afterPage(START, page({ after: null, isCut: true }), rules('full')).stopReason).toBe(
      'listing_cap',
    );
    let checkpoint = START;
    for (let pages = 0; checkpoint.stopReason === null; pages += 1) {
      expect(pages).toBeLessThan(10);
      checkpoint = afterPage(checkpoint, page({ unseen: 0, after: `t3_${pages}` }), rules('monitor'));
    }
    expect(checkpoint).toMatchObject({ pages: 5, stopReason: 'end_of_listing' });
    let pages = 0;
    for (checkpoint = START; checkpoint.stopReason === null; pages += 1)
      checkpoint = afterPage(checkpoint, page({ after: `t3_${pages}` }), rules('full'));
    expect(pages).toBe(1_000);
  });

  it('reads on behind any number of pages on which nothing is a post', () => {
    let checkpoint = { ...START, idlePages: 4 };
    for (let pages = 0; pages < 50; pages += 1)
      checkpoint = afterPage(
        checkpoint,
        page({ items: 0, unseen: 0, oldest: null, after: `t3_${pages}` }),
        rules('full'),
      );
    expect(checkpoint.stopReason).toBeNull();
  });

  it('ends a monitor pass at the first page that was stored in full before', () => {
    expect(afterPage(START, page({ alreadyStored: 99 }), rules('monitor')).stopReason).toBeNull();
    expect(stopAtLimit(afterPage(START, page({ alreadyStored: 100 }), rules('monitor'))).stopReason).toBe(
      'up_to_date',
    );
    expect(afterPage(START, page({ alreadyStored: 100 }), rules('history')).stopReason).toBeNull();
  });

  it('searches known pages for posts that came late, as far back as they can stand', () => {
    const lateRules = { ...rules('monitor'), platform: { ...platform, lateMs: 3 * 3_600_000 } };
    const stored = (hour: number) => {
      const [newest, oldest] = [hour + 1, hour].map((one) => `2026-01-02T0${one}:00:00.000Z`);
      return page({ alreadyStored: 100, newest: newest!, oldest: oldest!, after: `t3_${hour}` });
    };
    const first = afterPage(START, stored(5), lateRules);
    const second = afterPage(first, stored(4), lateRules);
    expect([first.stopReason, second.stopReason]).toEqual([null, null]);
    expect(afterPage(second, stored(3), lateRules).stopReason).toBe('up_to_date');
    expect(stopAtLimit(first).stopReason).toBe('up_to_date');
  });

  it('searches few known pages for posts that came late', () => {
    const lateRules = { ...rules('monitor'), platform: { ...platform, lateMs: 86_400_000 } };
    let [checkpoint, pages] = [START, 0];
    for (; checkpoint.stopReason === null; pages += 1)
      checkpoint = afterPage(checkpoint, page({ alreadyStored: 100, after: `t3_${pages}` }), lateRules);
    expect([pages, checkpoint.stopReason]).toEqual([5, 'up_to_date']);
  });

  it('reads no further listing of a forum that the first one showed in full', () => {
    for (const hasArchive of [false, true])
      expect(afterPage(START, page({ after: null }), rules('history', { hasArchive })).stopReason).toBe(
        'end_of_listing',
      );
  });

  it.each([
    ['a forum that lists nothing', 'forum', 0],
    ['a user who lists nothing', 'user', 0],
    ['a user who may hide some posts', 'user', 3],
  ] as const)('reads the archive, but no further listing, of %s', (_, type, items) => {
    const last = page({ items, unseen: items, after: null, oldest: null });
    const next = { step: platform.listings.length, before: null, stopReason: null };
    expect(afterPage(START, last, rules('history', { hasArchive: true, type }))).toMatchObject(next);
    expect(afterPage(START, last, rules('history', { type })).stopReason).toBe('end_of_listing');
    expect(afterPage(START, last, rules('full', { hasArchive: true, type })).stopReason).toBe(
      'end_of_listing',
    );
  });

  it('reads every listing of a large forum, then the archive', () => {
    const capped = { ...START, items: 900, pages: 9, oldest: '2026-01-03T00:00:00.000Z' };
    let checkpoint = afterPage(capped, page({ after: null }), rules('history', { hasArchive: true }));
    expect(checkpoint).toMatchObject({ step: 1, after: null, items: 0, stopReason: null });
    while (checkpoint.step < platform.listings.length)
      checkpoint = afterPage(
        checkpoint,
        page({ after: null, oldest: '2020-01-01T00:00:00.000Z' }),
        rules('history', { hasArchive: true }),
      );
    expect(checkpoint).toMatchObject({ before: '2026-01-02T00:00:01.000Z', stopReason: null });
    expect(afterPage({ ...checkpoint, step: 2 }, page({ after: null }), rules('history')).stopReason).toBe(
      'listing_cap',
    );
  });

  it('reads the archive from its newest post on when no listing showed a post', () => {
    const last = { ...START, step: 2, items: 900 };
    expect(
      afterPage(last, page({ after: null, oldest: null }), rules('history', { hasArchive: true })),
    ).toMatchObject({ step: 3, before: null, stopReason: null });
  });
});

describe('afterArchivePage', () => {
  const inArchive = { ...START, step: 14, before: '2026-01-02T00:00:01.000Z' };

  it('goes back in time until no older posts are returned', () => {
    const next = afterArchivePage(inArchive, page());
    expect(next).toMatchObject({ before: '2026-01-02T00:00:00.000Z', stopReason: null });
    expect(afterArchivePage(next, page({ items: 0, oldest: null })).stopReason).toBe('end_of_listing');
    expect(afterArchivePage(next, page()).stopReason).toBe('end_of_listing');
    expect(stopAtLimit(afterArchivePage(inArchive, page())).stopReason).toBe('limit');
  });

  it('ends after 2,000 pages', () => {
    expect(afterArchivePage({ ...inArchive, pages: 1_998 }, page()).stopReason).toBeNull();
    expect(afterArchivePage({ ...inArchive, pages: 1_999 }, page()).stopReason).toBe('end_of_listing');
  });
});
