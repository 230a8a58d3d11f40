import { VersionedCountCache } from './versioned-count-cache.js';

describe('versioned count cache', () => {
  it('returns the last count of a filter with its revision', () => {
    const counts = new VersionedCountCache();
    counts.set('w', { q: 'battery', author: 'ada' }, { revision: '7', total: 42 });
    counts.set('w', { q: 'battery', author: 'ada' }, { revision: '8', total: 43 });
    const filter = { author: 'ada', q: 'battery', forum: undefined };
    expect(counts.last('w', filter)).toEqual({ revision: '8', total: 43 });
  });

  it.each([
    ['another workspace', 'v', { q: 'battery' }],
    ['another filter', 'w', { q: 'rocket' }],
  ])('returns nothing for %s', (_, workspace, filter) => {
    const counts = new VersionedCountCache();
    counts.set('w', { q: 'battery' }, { revision: '7', total: 42 });
    expect(counts.last(workspace, filter)).toBeNull();
  });

  it('evicts the least recently used counts', () => {
    const counts = new VersionedCountCache();
    for (let n = 0; n < 5_000; n++) counts.set('w', { n }, { revision: '1', total: n });
    expect(counts.last('w', { n: 0 })).toBeNull();
    expect(counts.last('w', { n: 4_999 })).toEqual({ revision: '1', total: 4_999 });
  });
});
