import { isChatId } from './channel-config.js';
import { configErrors, maskConfig, replacedConfig, withoutSecrets } from './channels.js';

const MAX_LENGTH = 8_192;
const accepted = (): null => null;
const fieldsOf = (channel: string, config: Record<string, unknown>): string[] =>
  configErrors(channel, config, accepted).map(({ field }) => field);

describe('the configuration of a channel', () => {
  it.each([
    ['email', {}, []],
    ['email', { webhook_url: null, chat_id: null, to: null, secret: null }, []],
    ['email', { to: 'me@localhost' }, ['channel_config.to']],
    ['email', { to: [] }, ['channel_config.to']],
    ['email', { webhook_url: 7 }, ['channel_config.webhook_url']],
    ['webhook', {}, ['channel_config.webhook_url']],
    ['slack', { webhook_url: null }, ['channel_config.webhook_url']],
    ['webhook', { webhook_url: 'https://a.example', secret: 7 }, ['channel_config.secret']],
    ['webhook', { webhook_url: 'https://a.example', secret: '' }, ['channel_config.secret']],
    ['webhook', { webhook_url: 'https://a.example', secret: 'x' }, []],
    ['webhook', { webhook_url: 'https://a.example', secret: 'whsec_***' }, []],
    ['webhook', { webhook_url: 'https://a.example', secret: '🔑'.repeat(256) }, []],
    ['webhook', { webhook_url: 'https://a.example', secret: 'x'.repeat(257) }, ['channel_config.secret']],
    ['telegram', { webhook_url: 'https://a.example', chat_id: '' }, ['channel_config.chat_id']],
  ])('of %s as %j has the errors %j', (channel, config, fields) => {
    expect(fieldsOf(channel, config)).toEqual(fields);
  });

  it('names the reason for which an address is refused', () => {
    expect(configErrors('webhook', { webhook_url: 'x' }, () => 'must be a URL')).toEqual([
      { field: 'channel_config.webhook_url', message: 'channel_config.webhook_url must be a URL' },
    ]);
  });

  it.each([
    ['https://user@chat.example.com:8443/hooks/token?key=1', 'https://chat.example.com:8443/***'],
    ['a token that is no address', '***'],
    [{ url: 'https://chat.example.com/token' }, '***'],
    [7, '***'],
  ])('with the address %j is shown to keys without the scope write as %s', (address, shown) => {
    const config = { webhook_url: address as string, chat_id: 7, note: 'mine', secret: 's3cret' };
    expect(maskConfig(config)).toEqual({ webhook_url: shown, chat_id: 7, note: '***' });
  });

  it('is shown to other keys completely, except for its secret', () => {
    const config = { webhook_url: 'https://chat.example.com/token', chat_id: 7, note: 'mine' };
    expect(withoutSecrets({ ...config, secret: 's3cret' })).toEqual(config);
  });

  it('is refused with a masked address', () => {
    expect(fieldsOf('discord', { webhook_url: 'https://chat.example.com/***' })).toEqual([
      'channel_config.webhook_url',
    ]);
  });

  it.each([
    [{}, { secret: 'old' }],
    [{ secret: null }, {}],
    [
      { secret: 'new', note: 1 },
      { secret: 'new', note: 1 },
    ],
  ])('replaced by %j keeps its secret unless one is sent', (sent, expected) => {
    expect(replacedConfig({ to: 'me@example.com', secret: 'old' }, sent)).toEqual(expected);
  });

  it('may have up to 8,192 characters as JSON', () => {
    const sized = (length: number) => ({ note: 'x'.repeat(length - JSON.stringify({ note: '' }).length) });
    expect(fieldsOf('email', sized(MAX_LENGTH))).toEqual([]);
    expect(fieldsOf('email', sized(MAX_LENGTH + 1))).toEqual(['channel_config']);
  });
});

it.each([
  [-100_123, true],
  [0, true],
  [Number.MAX_SAFE_INTEGER, true],
  [Number.MAX_SAFE_INTEGER + 1, false],
  [1.5, false],
  ['@name', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['', false],
  [undefined, false],
])('a chat can have the id %j: %s', (id, expected) => {
  expect(isChatId(id)).toBe(expected);
});
