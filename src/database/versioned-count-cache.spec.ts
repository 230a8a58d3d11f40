import { VersionedCountCache } from './versioned-count-cache.js';

describe('versioned count cache', () => {
  it('returns a count for the revision at which it was made', () => {
    const counts = new VersionedCountCache();
    counts.set('w', { q: 'battery', author: 'ada' }, { revision: '7', total: 42 });
    expect(counts.get('w', { author: 'ada', q: 'battery', forum: undefined }, '7')).toBe(42);
  });

  it.each([
    ['another revision', 'w', { q: 'battery' }, '8'],
    ['another workspace', 'v', { q: 'battery' }, '7'],
    ['another filter', 'w', { q: 'rocket' }, '7'],
  ])('returns nothing for %s', (_, workspace, filter, revision) => {
    const counts = new VersionedCountCache();
    counts.set('w', { q: 'battery' }, { revision: '7', total: 42 });
    expect(counts.get(workspace, filter, revision)).toBeNull();
  });

  it('returns the last count, at whatever revision', () => {
    const counts = new VersionedCountCache();
    counts.set('w', { q: 'battery' }, { revision: '7', total: 42 });
    counts.set('w', { q: 'battery' }, { revision: '8', total: 43 });
    expect(counts.last('w', { q: 'battery' })).toBe(43);
    expect(counts.last('v', { q: 'battery' })).toBeNull();
  });

  it('evicts the least recently used counts', () => {
    const counts = new VersionedCountCache();
    for (let n = 0; n < 5_000; n++) counts.set('w', { n }, { revision: '1', total: n });
    expect(counts.get('w', { n: 0 }, '1')).toBeNull();
    expect(counts.get('w', { n: 4_999 }, '1')).toBe(4_999);
  });
});
