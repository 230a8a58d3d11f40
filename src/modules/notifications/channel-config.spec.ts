import { configErrors, isChatId } from './channel-config.js';

const MAX_LENGTH = 8_192;
const accepted = (): null => null;
const fieldsOf = (channel: string, config: Record<string, unknown>, refuseUrl = accepted): string[] =>
  configErrors(channel, config, refuseUrl).map(({ field }) => field);

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
    ['webhook', { webhook_url: 'https://a.example', secret: 'whsec_***' }, ['channel_config.secret']],
    ['telegram', { webhook_url: 'https://a.example', chat_id: '' }, ['channel_config.chat_id']],
  ])('of %s as %j has the errors %j', (channel, config, fields) => {
    expect(fieldsOf(channel, config)).toEqual(fields);
  });

  it('names the reason for which an address is refused', () => {
    expect(configErrors('webhook', { webhook_url: 'x' }, () => 'must be a URL')).toEqual([
      { field: 'channel_config.webhook_url', message: 'channel_config.webhook_url must be a URL' },
    ]);
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
