import { describe, expect, it } from 'vitest';
import type { Alert } from './alerts.ts';
import { type ChannelSettings, channelOf, configOf } from './channel-settings.ts';

const settingsOf = (channel: string, channel_config: object): ChannelSettings =>
  channelOf({ channel, channel_config } as Alert);

describe('the destination of an alert', () => {
  it.each<[string, Record<string, unknown>]>([
    ['email', { to: ['me@example.com', 'you@example.com'] }],
    ['email', {}],
    ['telegram', { webhook_url: 'https://e.org/', chat_id: '@room', message_thread_id: '7' }],
    ['webhook', { webhook_url: 'https://e.org/', note: 'kept as sent' }],
  ])('of %s is sent as it was stored: %j', (channel, config) => {
    expect(configOf(settingsOf(channel, config), config)).toEqual(config);
  });

  it('has only the settings of its channel', () => {
    const former = { to: ['me@example.com'], webhook_url: 'https://e.org/', chat_id: 5 };
    const settings = { ...settingsOf('telegram', former), channel: 'discord' as const };
    expect(configOf(settings, former)).toEqual({ webhook_url: 'https://e.org/' });
  });

  it('removes the secret, replaces it or keeps it', () => {
    const settings = settingsOf('webhook', { webhook_url: 'https://e.org/' });
    const typed = { ...settings.typed, secret: 'typed' };
    expect(configOf({ ...settings, isUnsigned: true })).toHaveProperty('secret', null);
    expect(configOf({ ...settings, typed })).toHaveProperty('secret', 'typed');
    expect(configOf({ ...settings, typed: { ...typed, secret: ' typed ' } })).toHaveProperty(
      'secret',
      ' typed ',
    );
    expect(configOf(settings)).not.toHaveProperty('secret');
  });
});
