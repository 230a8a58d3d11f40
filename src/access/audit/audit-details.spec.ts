import { detailsOf } from './audit-details.js';

describe('the details of an audit entry', () => {
  it('have the settings that were sent and changed, with those of settings', () => {
    const before = {
      name: 'A',
      query: 'x',
      forums: ['a', 'b'],
      config: { timezone: 'UTC', limit: 5 },
      of: 'posts',
    };
    const after = {
      name: 'B',
      query: null,
      forums: ['a'],
      config: { timezone: 'Asia/Tokyo', limit: 5 },
      of: 'all',
    };
    expect(detailsOf({ before, after }, ['name', 'query', 'forums', 'config'])).toEqual({
      name: 'B',
      changes: [
        { field: 'name', before: 'A', after: 'B' },
        { field: 'query', before: 'x', after: null },
        { field: 'forums', before: 'a, b', after: 'a' },
        { field: 'config.timezone', before: 'UTC', after: 'Asia/Tokyo' },
      ],
    });
  });

  it('have the fields of a setting that begins or ends', () => {
    const delivery = { every: 'day', max_per_hour: 3 };
    expect(detailsOf({ before: { delivery: null }, after: { delivery } }, ['delivery'])?.changes).toEqual([
      { field: 'delivery.every', before: null, after: 'day' },
      { field: 'delivery.max_per_hour', before: null, after: '3' },
    ]);
    expect(detailsOf({ before: { delivery }, after: { delivery: null } }, ['delivery'])?.changes[0]).toEqual({
      field: 'delivery.every',
      before: 'day',
      after: null,
    });
  });

  it('name a record, of a webhook only by its host, and a deleted one too', () => {
    const names = [
      { target: 'news' },
      { email: 'a@b.c' },
      { url: 'https://u:p@e.org/secret' },
      { name: 'N' },
    ].map((before) => detailsOf({ before, after: null }, [])?.name);
    expect(names).toEqual(['news', 'a@b.c', 'e.org', 'N']);
    expect(detailsOf({ before: null, after: { id: 'match_1', note: 'private' } }, ['note'])).toBe(null);
    expect(detailsOf({ before: { url: '***' }, after: null }, [])).toBe(null);
  });

  it('are cut between words, and bounded in number', () => {
    const long = `${'word '.repeat(300)}end`;
    const [change] = detailsOf({ before: { q: '' }, after: { q: long } }, ['q'])!.changes;
    expect(change!.after).toBe(`${'word '.repeat(200).trimEnd()} …`);
    expect(detailsOf({ before: { q: '' }, after: { q: 'x'.repeat(2_000) } }, ['q'])!.changes[0]!.after).toBe(
      ' …',
    );
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`f${index}`, index]));
    expect(detailsOf({ before: {}, after: many }, Object.keys(many))!.changes).toHaveLength(50);
  });
});
