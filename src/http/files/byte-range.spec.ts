import { parseRange } from './byte-range.js';

it.each([
  [undefined, 'whole'],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-', { first: 2, last: 9 }],
  ['bytes=2-99', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes = 1-2', { first: 1, last: 2 }],
  ['bytes=10-', null],
  ['bytes=-0', null],
  ['bytes=5-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=a-b', 'whole'],
])('the range %j of ten bytes is %j', (header, range) => expect(parseRange(header, 10)).toEqual(range));

it('an empty file has no part', () => expect(parseRange('bytes=0-', 0)).toBeNull());
