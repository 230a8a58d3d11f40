import { fingerprintOf } from './idempotency.interceptor.js';

it.each([
  [{ a: ['x', 'y'] }, { a: ['y', 'x'] }],
  [{ a: [1, 23] }, { a: [12, 3] }],
  [{ a: ['x'] }, { a: 'x' }],
  [{ a: null }, {}],
])('the fingerprint of a request with %j differs from that with %j', (one, other) => {
  expect(fingerprintOf('POST', '/alerts', one)).not.toEqual(fingerprintOf('POST', '/alerts', other));
});
