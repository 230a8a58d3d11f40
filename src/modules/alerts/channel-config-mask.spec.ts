import { isMaskedAddress, maskConfig, withoutSecret } from './channel-config-mask.js';

describe('a channel configuration', () => {
  it.each([
    ['https://user@chat.example.com:8443/hooks/token?key=1', 'https://chat.example.com:8443/***'],
    ['a token that is no address', '***'],
    [{ url: 'https://chat.example.com/token' }, '***'],
    [7, '***'],
  ])('with the address %j is shown to keys without the scope write as %s', (address, shown) => {
    expect(maskConfig({ webhook_url: address as string, secret: 's3cret' })).toEqual({ webhook_url: shown });
  });

  it('is shown to other keys completely, except for its secret', () => {
    const config = { webhook_url: 'https://chat.example.com/token', chat_id: 7, note: 'mine' };
    expect(withoutSecret({ ...config, secret: 's3cret' })).toEqual(config);
  });

  it('is recognized as masked when it is sent back', () => {
    const sent = ['https://chat.example.com/***', 'https://chat.example.com/token', '***', null];
    expect(sent.map(isMaskedAddress)).toEqual([true, false, false, false]);
  });
});
