import type { IncomingMessage } from 'node:http';
import { assignClientAddress, clientAddress, parseRanges } from './client-address.js';

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

describe('the scheme of a client', () => {
  it.each<[string, string, string | undefined, string[], boolean]>([
    ['without a header', '127.0.0.1', undefined, [], false],
    ['behind a proxy on the same machine', '127.0.0.1', 'https', [], true],
    ['behind one of a dual-stack socket', '::ffff:127.0.0.1', 'https, http', [], true],
    ['that a proxy calls http', '::1', 'http, https', [], false],
    ['of a stranger', '203.0.113.7', 'https', [], false],
    ['behind a trusted proxy', '10.0.0.2', 'https', ['10.0.0.0/8'], true],
    ['beside a trusted proxy', '127.0.0.1', 'https', ['10.0.0.0/8'], false],
  ])('%s', (_case, remoteAddress, scheme, proxies, expected) => {
    const headers = { 'x-forwarded-proto': scheme };
    const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage & {
      isOverTls?: boolean;
    };
    assignClientAddress(proxies)(request, null, () => undefined);
    expect(request.isOverTls).toBe(expected);
  });
});
