import { hasLength } from '../../common/strings.js';
import { MAX_SECRET_LENGTH } from '../../infrastructure/signing/signing.js';
import { isChatId, MAX_RECIPIENTS, recipientsOf, threadId } from './channel-config.js';

/** Replaces the values that a key without the scope `write` does not see. */
export const MASK = '***';

/** A setting of one channel: a key of `channel_config`. */
export interface ChannelField {
  key: string;
  /** How the dashboard asks for it; a secret is in no response. */
  input: 'url' | 'emails' | 'text' | 'secret';
  label: string;
  hint?: string;
  /** Why a value cannot be used, as a predicate; null when it can. `refuseUrl` returns why an address is refused. */
  refuse: (value: unknown, refuseUrl: (url: string) => string | null) => string | null;
  /** The value as shown to keys without the scope `write`. */
  mask: (value: unknown) => unknown;
  isRequired: boolean;
}

const shown = (value: unknown): unknown => value;

/** The address that a channel posts to. It is a credential, so only scheme and host are shown. */
export const ADDRESS: ChannelField = {
  key: 'webhook_url',
  input: 'url',
  label: 'Destination URL',
  isRequired: true,
  refuse: (value, refuseUrl) => {
    if (typeof value !== 'string') return 'must be a string';
    return isMaskedAddress(value) ? 'is masked; send the whole address' : refuseUrl(value);
  },
  mask: (value) =>
    typeof value === 'string' && URL.canParse(value) ? `${new URL(value).origin}/${MASK}` : MASK,
};

/** The chat of a Telegram bot, unless the address names it. */
export const CHAT_ID: ChannelField = {
  key: 'chat_id',
  input: 'text',
  label: 'Chat ID',
  isRequired: false,
  refuse: (value) => (isChatId(value) ? null : 'must be the id or @name of a chat'),
  mask: shown,
};

/** The topic of a Telegram group with topics. */
export const THREAD_ID: ChannelField = {
  key: 'message_thread_id',
  input: 'text',
  label: 'Topic ID',
  isRequired: false,
  refuse: (value) => (threadId(value) === null ? 'must be the number of a topic of the chat' : null),
  mask: shown,
};

/** The recipients of e-mails. */
export const RECIPIENTS: ChannelField = {
  key: 'to',
  input: 'emails',
  label: 'Email address',
  hint: 'Separate several addresses with commas. Leave empty to use the address set by the operator.',
  isRequired: false,
  refuse: (value) => (recipientsOf(value) === null ? `must be 1 to ${MAX_RECIPIENTS} email addresses` : null),
  mask: shown,
};

/** The secret with which requests are signed. */
export const SIGNING_SECRET: ChannelField = {
  key: 'secret',
  input: 'secret',
  label: 'Signing secret',
  hint: 'Optional. Your program verifies signatures with it. It is not shown again.',
  isRequired: false,
  refuse: (value) =>
    typeof value === 'string' && hasLength(value, 1, MAX_SECRET_LENGTH)
      ? null
      : `must be a text of 1 to ${MAX_SECRET_LENGTH} characters`,
  mask: () => MASK,
};

/** Whether an address was masked by {@link ADDRESS}. */
function isMaskedAddress(address: string): boolean {
  return address.endsWith(`/${MASK}`);
}
