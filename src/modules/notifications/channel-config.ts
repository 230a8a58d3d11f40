import { isEmail } from 'class-validator';
import type { FieldError } from '../../http/problem.js';
import { refuseSecret } from '../../infrastructure/signing/signing.js';

/** `channel_config` of an alert: the keys that channels use, and any other keys, which are stored as sent. */
export type ChannelConfig = Record<string, unknown> & {
  /** URL of a chat's incoming webhook or of the webhook channel. */
  webhook_url?: string;
  /** Telegram: the chat, unless the URL names it. */
  chat_id?: string | number;
  /** E-mail: one address, several addresses separated by commas, or a list. */
  to?: string | string[];
  /** Secret with which the webhook channel signs its requests. */
  secret?: string | null;
};

const MAX_CONFIG_LENGTH = 8_192;
const MAX_RECIPIENTS = 10;
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

/**
 * Returns one error for each key of a `channel_config` that its channel cannot use. `refuseUrl` returns why a URL is
 * refused.
 */
export function configErrors(
  channel: string,
  config: Record<string, unknown>,
  refuseUrl: (url: string) => string | null,
): FieldError[] {
  const { webhook_url, chat_id, to, secret } = config;
  const refusals: Record<string, string | null> = {
    webhook_url: refuseAddress(webhook_url, channel !== 'email', refuseUrl),
    chat_id: chat_id == null || isChatId(chat_id) ? null : 'must be the id or @name of a chat',
    to: to == null || recipientsOf(to) !== null ? null : `must be 1 to ${MAX_RECIPIENTS} email addresses`,
    secret: secret == null ? null : typeof secret === 'string' ? refuseSecret(secret) : 'must be a string',
  };
  const errors = Object.entries(refusals).flatMap(([key, refusal]) =>
    refusal === null ? [] : [{ field: `channel_config.${key}`, message: `channel_config.${key} ${refusal}` }],
  );
  if (JSON.stringify(config).length > MAX_CONFIG_LENGTH)
    errors.push({
      field: 'channel_config',
      message: `channel_config must have at most ${MAX_CONFIG_LENGTH} characters as JSON`,
    });
  return errors;
}

function refuseAddress(
  value: unknown,
  required: boolean,
  refuseUrl: (url: string) => string | null,
): string | null {
  if (value == null) return required ? 'is required for this channel' : null;
  return typeof value === 'string' ? refuseUrl(value) : 'must be a string';
}

/** Whether a value can be the `chat_id` of a Telegram chat: a number, or a short text such as `@name`. */
export function isChatId(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_CHAT_ID_LENGTH;
}
