import { KINDS } from '../../api/kinds.ts';
import type { Schemas } from '../../api/client.ts';
import { Checkbox, SelectField, TextField } from '../../components/controls.tsx';
import { fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import type { Alert } from './alerts.ts';

type Channel = Alert['channel'];
const words = texts.alerts;

/** The destination of an alert, as edited in its form. */
export interface ChannelSettings {
  channel: Channel;
  /** An address, or e-mail addresses separated by commas. */
  address: string;
  chatId: string;
  /** Signs the requests of the channel `webhook`; empty keeps the current secret. */
  secret: string;
  /** Whether to remove the current secret. */
  isUnsigned: boolean;
}

/** The settings of an alert, or the defaults of a new one. */
export function channelOf(alert: Alert | null): ChannelSettings {
  const { to, webhook_url, chat_id } = alert?.channel_config ?? {};
  const text = (value: unknown): string =>
    Array.isArray(value) ? value.join(', ') : typeof value === 'number' ? String(value) : toText(value);
  return {
    channel: alert?.channel ?? 'email',
    address: text(alert === null || alert.channel === 'email' ? to : webhook_url),
    chatId: text(chat_id),
    secret: '',
    isUnsigned: false,
  };
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const hasChat = (channel: Channel): boolean => channel === 'telegram' || channel === 'chat_b';

type ChannelConfig = NonNullable<Schemas['CreateAlertDto']['channel_config']>;

/** Configuration keys for which the form has fields. */
const OWN_KEYS: ReadonlySet<string> = new Set(['to', 'webhook_url', 'chat_id']);

/** The settings in the API's format, with the other keys of the previous configuration. */
export function configOf(
  { channel, address, chatId, secret, isUnsigned }: ChannelSettings,
  former: ChannelConfig = {},
): ChannelConfig {
  const others = Object.fromEntries(Object.entries(former).filter(([key]) => !OWN_KEYS.has(key)));
  const addresses = address
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  if (channel === 'email') return { ...others, ...(addresses.length > 0 && { to: addresses }) };
  return {
    ...others,
    webhook_url: address.trim(),
    ...(hasChat(channel) && chatId !== '' && { chat_id: chatId }),
    ...(channel === 'webhook' && (isUnsigned ? { secret: null } : secret !== '' && { secret })),
  };
}

/** The channel of an alert and the settings that it needs. */
export function ChannelFields({
  settings,
  hasSecret,
  error,
  onChange,
}: {
  settings: ChannelSettings;
  /** Whether there may already be a secret. */
  hasSecret: boolean;
  error: Error | null;
  onChange: (changes: Partial<ChannelSettings>) => void;
}) {
  const { channel, address, chatId, secret, isUnsigned } = settings;
  const options = KINDS.channels.filter(({ name, isAlias }) => !isAlias || name === channel);
  return (
    <>
      <SelectField
        label={words.channel}
        error={fieldError(error, 'channel')}
        value={channel}
        options={options.map(({ name, title }) => [name, title] as const)}
        onChange={(chosen) =>
          // An e-mail address cannot be used for a chat, nor the other way round.
          onChange({
            channel: chosen,
            ...((chosen === 'email') !== (channel === 'email') && { address: '' }),
          })
        }
      />
      {channel === 'email' ? (
        <TextField
          label={words.email}
          hint={words.emailHint}
          error={fieldError(error, 'channel_config')}
          type="email"
          multiple
          value={address}
          onChange={(text) => onChange({ address: text })}
        />
      ) : (
        <TextField
          label={words.address}
          error={fieldError(error, 'channel_config')}
          type="url"
          required
          value={address}
          onChange={(text) => onChange({ address: text })}
        />
      )}
      {hasChat(channel) && (
        <TextField label={words.chatId} value={chatId} onChange={(text) => onChange({ chatId: text })} />
      )}
      {channel === 'webhook' && hasSecret && (
        <Checkbox
          label={words.unsigned}
          checked={isUnsigned}
          onChange={({ target }) => onChange({ isUnsigned: target.checked })}
        />
      )}
      {channel === 'webhook' && !isUnsigned && (
        <TextField
          label={words.secret}
          hint={hasSecret ? words.secretKept : words.secretHint}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          value={secret}
          onChange={(text) => onChange({ secret: text })}
        />
      )}
    </>
  );
}
