import { isException } from './proxy-exceptions.js';

describe('a host that is reached without the proxy', () => {
  it.each([
    ['localhost', []],
    ['api.localhost', []],
    ['127.0.0.2', []],
    ['::1', []],
    ['store.example', ['store.example']],
    ['STORE.example.', ['store.EXAMPLE']],
    ['a.store.example', ['store.example']],
    ['a.store.example', ['.store.example']],
    ['a.store.example', ['*.store.example']],
    ['store.example', ['other.example', 'store.example:443']],
    ['10.1.2.3', ['10.0.0.0/8']],
    ['10.1.2.3', ['10.1.2.3']],
    ['10.1.2.3', ['10.1.2.3:443']],
    ['fd00::3', ['fd00::/8']],
    ['anything.example', ['*']],
  ])('is %s with NO_PROXY=%s', (host, exceptions) => {
    expect(isException(host, 443, exceptions)).toBe(true);
  });

  it.each([
    ['store.example', []],
    ['otherstore.example', ['store.example']],
    ['store.example.net', ['store.example']],
    ['store.example', ['store.example:8443']],
    ['10.1.2.3', ['fd00::/8', '192.168.0.0/16', '10.1.2.4']],
    ['store.example', ['10.0.0.0/8', '']],
    ['localhost.example', []],
  ])('is not %s with NO_PROXY=%s', (host, exceptions) => {
    expect(isException(host, 443, exceptions)).toBe(false);
  });
});
