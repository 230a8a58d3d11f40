import { preferredEncoding } from './preferred-encoding.js';

describe('the preferred encoding of br, zstd and gzip', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'gzip'],
    ['gzip;q=0, br', 'br'],
    ['identity;q=1, gzip;q=0.5, *;q=0', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['br;q=0.2, *;q=0.1, identity;q=0', 'br'],
    ['br;q=0.1, *;q=0.5', 'zstd'],
    ['*', 'br'],
    ['*;q=0', null],
    ['GZIP ; Q=0.5', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=yes', null],
    ['deflate, compress', null],
  ])('by Accept-Encoding %j is %j', (accepted, encoding) => {
    const request = { headers: { 'accept-encoding': accepted } };
    expect(preferredEncoding(request, ['br', 'zstd', 'gzip'])).toBe(encoding);
  });
});
