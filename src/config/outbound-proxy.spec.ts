import { parseEnvironment } from './environment.js';
import { outboundProxy } from './outbound-proxy.js';

const proxyOf = (variables: Record<string, string>) => outboundProxy(parseEnvironment(variables));

describe('the HTTP proxy of the configuration', () => {
  it('is used only when the operator says so', () => {
    const given = {
      HTTPS_PROXY: 'http://user:secret@proxy.example:3128',
      NO_PROXY: '.corp.example, 10.0.0.0/8',
    };
    expect(proxyOf(given)).toBeNull();
    expect(proxyOf({ HTTPS_PROXY: 'socks5://proxy.example' })).toBeNull();
    expect(proxyOf({ ...given, OUTBOUND_USE_PROXY: 'true' })).toEqual({
      url: new URL('http://user:secret@proxy.example:3128'),
      exceptions: ['.corp.example', '10.0.0.0/8'],
    });
  });

  it.each([{}, { HTTPS_PROXY: 'proxy.example:3128' }, { HTTPS_PROXY: 'socks5://u:secret@proxy.example' }])(
    'must have an address when it is used: %j',
    (given) => {
      const parse = () => parseEnvironment({ ...given, OUTBOUND_USE_PROXY: 'true' });
      expect(parse).toThrow('HTTPS_PROXY must be the address of your proxy');
      expect(parse).not.toThrow('secret');
    },
  );
});
