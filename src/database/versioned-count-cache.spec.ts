import { VersionedCountCache } from './versioned-count-cache.js';

describe('totals that were counted before', () => {
  it('are given out for the data they were counted on', () => {
    const totals = new VersionedCountCache();
    totals.set('w', { q: 'battery', author: 'ada' }, { stamp: '7', total: 42 });
    expect(totals.get('w', { author: 'ada', q: 'battery', forum: undefined }, '7')).toBe(42);
  });

  it.each([
    ['other data', 'w', { q: 'battery' }, '8'],
    ['another workspace', 'v', { q: 'battery' }, '7'],
    ['another question', 'w', { q: 'rocket' }, '7'],
  ])('are not given out for %s', (_, workspace, question, stamp) => {
    const totals = new VersionedCountCache();
    totals.set('w', { q: 'battery' }, { stamp: '7', total: 42 });
    expect(totals.get(workspace, question, stamp)).toBeNull();
  });

  it('are forgotten rather than gathered without end', () => {
    const totals = new VersionedCountCache();
    for (let n = 0; n < 5_000; n++) totals.set('w', { n }, { stamp: '1', total: n });
    expect(totals.get('w', { n: 0 }, '1')).toBeNull();
    expect(totals.get('w', { n: 4_999 }, '1')).toBe(4_999);
  });
});
