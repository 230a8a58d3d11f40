import { isEmail } from 'class-validator';
import type { FieldError } from '../../http/problem.js';
import { refuseSecret } from '../../infrastructure/signing/signing.js';
import type { AlertChannel } from './alert.entity.js';

/** Keys the channels know, checked; any others, kept as they were sent. */
export type ChannelConfig = Record<string, unknown> & {
  webhook_url?: string;
  chat_id?: string | number;
  to?: string | string[];
  secret?: string | null;
};

const MAX_CONFIG_LENGTH = 8_192;
const MAX_RECIPIENTS = 10;
const MAX_CHAT_ID_LENGTH = 128;

/** Every key of a `channel_config` that its channel cannot work with. `refuseUrl` judges addresses. */
export function configErrors(
  channel: AlertChannel,
  config: Record<string, unknown>,
  refuseUrl: (url: string) => string | null,
): FieldError[] {
  const { webhook_url, chat_id, to, secret } = config;
  const refusals: Record<string, string | null> = {
    webhook_url: refuseAddress(webhook_url, channel !== 'email', refuseUrl),
    chat_id: chat_id == null || isChatId(chat_id) ? null : 'must be the id or the @name of a chat',
    to:
      to == null || areRecipients(to)
        ? null
        : `must be one e-mail address or at most ${MAX_RECIPIENTS} of them`,
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

function isChatId(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_CHAT_ID_LENGTH;
}

function areRecipients(value: unknown): boolean {
  const list: unknown[] =
    typeof value === 'string'
      ? value.split(',').map((part) => part.trim())
      : Array.isArray(value)
        ? value
        : [];
  return list.length > 0 && list.length <= MAX_RECIPIENTS && list.every((part) => isEmail(part));
}
