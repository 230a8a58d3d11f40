import type { ChannelConfig } from '../notifications/channel-config.js';

const MASK = '***';
/** Keys whose values grant nothing: the id of a chat and the recipients of mails. */
const PLAIN_KEYS = new Set(['chat_id', 'to']);

/** A configuration as keys with the scope `write` see it: as sent, without `secret`. */
export function withoutSecret(config: ChannelConfig): Record<string, unknown> {
  const shown = { ...config };
  delete shown.secret;
  return shown;
}

/**
 * A configuration as keys below the scope `write` see it. Addresses of chats and webhooks are credentials: of
 * `webhook_url` only scheme and host remain. Values of keys that no channel uses are masked whole.
 */
export function maskConfig(config: ChannelConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(withoutSecret(config)).map(([key, value]) => {
      if (PLAIN_KEYS.has(key)) return [key, value];
      return [key, key === 'webhook_url' ? maskAddress(value) : MASK];
    }),
  );
}

/** Whether an address is one that {@link maskConfig} made. */
export function isMaskedAddress(address: unknown): boolean {
  return typeof address === 'string' && address.endsWith(`/${MASK}`);
}

function maskAddress(address: unknown): string {
  return typeof address === 'string' && URL.canParse(address) ? `${new URL(address).origin}/${MASK}` : MASK;
}
