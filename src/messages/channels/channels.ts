import { NamedRegistry } from '../../common/named-registry.js';
import type { FieldError } from '../../http/problems/problem.js';
import type { ChannelDefinition } from './channel.js';
import type { ChannelConfig } from './channel-config.js';
import { type ChannelField, MASK } from './channel-settings.js';
import { DISCORD } from './discord.js';
import { EMAIL } from './email-channel.js';
import { CHAT_A, CHAT_B } from './generic-chats.js';
import { SLACK } from './slack.js';
import { TELEGRAM } from './telegram.js';
import { WEBHOOK } from './webhook-channel.js';

/** The channels of alerts. */
export const CHANNELS = new NamedRegistry<ChannelDefinition>('channel', [
  EMAIL,
  CHAT_A,
  CHAT_B,
  WEBHOOK,
  DISCORD,
  TELEGRAM,
  SLACK,
]);

const MAX_CONFIG_LENGTH = 8_192;

/**
 * Returns one error for each key of a `channel_config` that its channel cannot use. Keys that only other channels use are
 * checked, too, so that a stored configuration is valid for any of them. `refuseUrl` returns why a URL is refused.
 */
export function configErrors(
  channel: string,
  config: Record<string, unknown>,
  refuseUrl: (url: string) => string | null,
): FieldError[] {
  const required = CHANNELS.get(channel).fields.filter(({ isRequired }) => isRequired);
  const errors = [...allSettings().values()].flatMap((setting): FieldError[] => {
    const { key } = setting;
    const value = config[key];
    if (value == null && !required.some((one) => one.key === key)) return [];
    const refusal = value == null ? 'is required for this channel' : setting.refuse(value, refuseUrl);
    const field = `channel_config.${key}`;
    return refusal === null ? [] : [{ field, message: `${field} ${refusal}` }];
  });
  if (JSON.stringify(config).length > MAX_CONFIG_LENGTH)
    errors.push({
      field: 'channel_config',
      message: `channel_config must have at most ${MAX_CONFIG_LENGTH} characters as JSON`,
    });
  return errors;
}

/** A configuration as shown to keys with the scope `write`: as sent, without secrets. */
export function withoutSecrets(config: ChannelConfig): Record<string, unknown> {
  const settings = allSettings();
  return Object.fromEntries(Object.entries(config).filter(([key]) => settings.get(key)?.input !== 'secret'));
}

/**
 * A configuration as shown to keys without the scope `write`: credentials are masked, and so are the values of keys that
 * no channel uses.
 */
export function maskConfig(config: ChannelConfig): Record<string, unknown> {
  const settings = allSettings();
  return Object.fromEntries(
    Object.entries(withoutSecrets(config)).map(([key, value]) => {
      const setting = settings.get(key);
      return [key, setting === undefined ? MASK : setting.mask(value)];
    }),
  );
}

/**
 * The configuration that replaces a stored one: as sent, but a secret is kept unless a new one or null is sent, because
 * clients receive a configuration without it and may send that back.
 */
export function replacedConfig(before: ChannelConfig, sent: Record<string, unknown>): ChannelConfig {
  const config = { ...sent };
  for (const { key, input } of allSettings().values()) {
    if (input !== 'secret') continue;
    const secret = key in sent ? sent[key] : before[key];
    if (secret == null) delete config[key];
    else config[key] = secret;
  }
  return config;
}

/** The settings of all channels by key. */
function allSettings(): Map<string, ChannelField> {
  return new Map(CHANNELS.all.flatMap(({ fields }) => fields.map((field) => [field.key, field])));
}
