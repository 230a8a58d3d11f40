import { isEmail } from 'class-validator';

/** `channel_config` of an alert: the keys that channels use, and any other keys, which are stored as sent. */
export type ChannelConfig = Record<string, unknown> & {
  /** URL of a chat's incoming webhook or of the webhook channel. */
  webhook_url?: string;
  /** Telegram: the chat, unless the URL names it. */
  chat_id?: string | number;
  /** Telegram: a topic of the chat. */
  message_thread_id?: string | number;
  /** E-mail: one address, several addresses separated by commas, or a list. */
  to?: string | string[];
  /** Secret with which the webhook channel signs its requests. */
  secret?: string | null;
};

/** Maximum number of recipients of an e-mail alert. */
export const MAX_RECIPIENTS = 10;
const MAX_CHAT_ID_LENGTH = 128;

/** Options of validator.js that reject quoted local parts and comments, because they could hide a second recipient. */
const ADDRESS_OPTIONS = { blacklisted_chars: '"\\\\(),:;<>\\[\\]' };

/**
 * Returns the recipients of an e-mail alert; null unless there are one to ten addresses. Hosts without a dot, such as
 * `localhost`, are accepted only with `allowLocalHosts`.
 */
export function recipientsOf(to: unknown, { allowLocalHosts = false } = {}): string[] | null {
  const given: readonly unknown[] = typeof to === 'string' ? to.split(',') : Array.isArray(to) ? to : [];
  const addresses = given.map((part) => (typeof part === 'string' ? part.trim() : ''));
  const options = { ...ADDRESS_OPTIONS, require_tld: !allowLocalHosts };
  const isValid =
    addresses.length > 0 &&
    addresses.length <= MAX_RECIPIENTS &&
    addresses.every((address) => isEmail(address, options));
  return isValid ? addresses : null;
}

/** Whether a value can be the `chat_id` of a Telegram chat: a number, or a short text such as `@name`. */
export function isChatId(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_CHAT_ID_LENGTH;
}

/** The number of a topic of a Telegram chat, given as a number or as text; null for anything else. */
export function threadId(value: unknown): number | null {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
  const number = isNumber ? Number(value) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
