import type { ChannelConfig } from '../notifications/channel-config.js';

const MASK = '***';
/** Keys whose values grant no access: the id of a chat and the recipients of mails. */
const PLAIN_KEYS = new Set(['chat_id', 'to']);

/** A configuration as shown to keys with the scope `write`: as sent, without `secret`. */
export function withoutSecret(config: ChannelConfig): Record<string, unknown> {
  const shown = { ...config };
  delete shown.secret;
  return shown;
}

/**
 * A configuration as shown to keys without the scope `write`. Addresses of chats and webhooks are credentials, so only
 * scheme and host of `webhook_url` remain. Values of keys that no channel uses are masked completely.
 */
export function maskConfig(config: ChannelConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(withoutSecret(config)).map(([key, value]) => {
      if (PLAIN_KEYS.has(key)) return [key, value];
      return [key, key === 'webhook_url' ? maskAddress(value) : MASK];
    }),
  );
}

/** Whether an address was masked by {@link maskConfig}. */
export function isMaskedAddress(address: unknown): boolean {
  return typeof address === 'string' && address.endsWith(`/${MASK}`);
}

function maskAddress(address: unknown): string {
  return typeof address === 'string' && URL.canParse(address) ? `${new URL(address).origin}/${MASK}` : MASK;
}
