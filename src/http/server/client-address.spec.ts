import { clientAddress, parseRanges } from './client-address.js';

describe('the address of a client', () => {
  it.each([
    ['without trusted proxies', '192.0.2.1', '203.0.113.7', [], '192.0.2.1'],
    ['behind a trusted proxy', '10.0.0.2', '203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
    ['that forged the header', '10.0.0.2', '1.1.1.1, 203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
    ['behind two proxies', '10.0.0.2', '203.0.113.7, 10.0.0.9', ['10.0.0.0/8'], '203.0.113.7'],
    ['that is no trusted proxy', '198.51.100.1', '203.0.113.7', ['10.0.0.0/8'], '198.51.100.1'],
    ['of a dual-stack socket', '::ffff:10.0.0.2', '2001:db8::1', ['10.0.0.2'], '2001:db8::1'],
    ['with an unreadable header', '10.0.0.2', 'me', ['10.0.0.0/8'], '10.0.0.2'],
    ['without the header', '::1', undefined, ['::1'], '::1'],
  ])('%s', (_case, peer, forwarded, trusted, expected) => {
    expect(clientAddress(peer, forwarded, parseRanges(trusted))).toBe(expected);
  });
});
