import { FairShare } from './fair-share.js';

const take = (share: FairShare, tenant: string): number => {
  const count = share.available(tenant);
  share.take(tenant, count);
  return count;
};

describe('FairShare', () => {
  it('lends a tenant three quarters of all slots when it is the only one', () => {
    const share = new FairShare(400);
    expect(take(share, 'a')).toBe(300);
    expect(share.available('a')).toBe(0);
  });

  it('always leaves slots for another tenant', () => {
    const share = new FairShare(400);
    for (const tenant of ['a', 'b', 'c']) expect(take(share, tenant)).toBeGreaterThan(0);
    expect(share.available('d')).toBeGreaterThan(0);
  });

  it('gives a tenant no more slots while another one waits for its share', () => {
    const share = new FairShare(400);
    take(share, 'a');
    take(share, 'b');
    share.take('a', -50);
    expect(share.available('a')).toBe(0);
    expect(share.available('b')).toBeGreaterThan(0);
  });

  it('gets all slots back', () => {
    const share = new FairShare(400);
    const count = take(share, 'a');
    share.take('a', -count);
    expect(share.available('b')).toBe(300);
    expect([...share.holders]).toEqual([]);
  });

  it('keeps a slot free, however many tenants take all that they may', () => {
    for (const places of [2, 7, 100]) {
      const share = new FairShare(places);
      let taken = 0;
      for (let tenant = 0; tenant < 200; tenant += 1) taken += take(share, `${tenant}`);
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThan(places);
    }
  });
});
