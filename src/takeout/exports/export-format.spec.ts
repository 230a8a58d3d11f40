import { fileName, partContentType, partName } from './export-format.js';

const NOW = new Date('2026-11-21T23:59:59Z');

describe('names of exported files', () => {
  it.each([
    [undefined, 'posts-2026-11-21.csv'],
    ['technology', 'posts-technology-2026-11-21.csv'],
    ['hn:ask', 'posts-hn-ask-2026-11-21.csv'],
    ['../a"b\r\nc.d', 'posts--a-b-c-d-2026-11-21.csv'],
    ['日本', 'posts---2026-11-21.csv'],
    ['x'.repeat(200), `posts-${'x'.repeat(80)}-2026-11-21.csv`],
  ])('of the forum %j are safe in a header: %s', (forum, name) => {
    expect(fileName('posts', 'csv', forum, NOW)).toBe(name);
  });

  it('of parts sort in their order, with the suffix of their compression', () => {
    const csv = { kind: 'comments', format: 'csv', compression: 'gzip' } as const;
    expect([partName(csv, 7), partContentType(csv)]).toEqual(['comments-00007.csv.gz', 'application/gzip']);
    const parquet = { ...csv, format: 'parquet' } as const;
    expect([partName(parquet, 123_456), partContentType(parquet)]).toEqual([
      'comments-123456.parquet',
      'application/vnd.apache.parquet',
    ]);
  });
});
