import type { Schemas } from '../../api/client.ts';
import { Checkbox, SelectField, TextField } from '../../components/controls.tsx';
import { fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import type { Alert } from './alerts.ts';

type Channel = Alert['channel'];
const CHANNELS: readonly Channel[] = ['email', 'discord', 'telegram', 'slack', 'webhook'];
const words = texts.alerts;

/** Where an alert sends to, as its form holds it. */
export interface ChannelSettings {
  channel: Channel;
  /** An address, or e-mail addresses separated by commas. */
  address: string;
  chatId: string;
  /** Signs what the channel `webhook` sends; empty keeps the secret that is set. */
  secret: string;
  /** Whether the secret that is set is removed. */
  isUnsigned: boolean;
}

/** The settings of an alert; of a new one when there is none. */
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

/** Keys of a configuration that the form has fields for. */
const OWN_KEYS: ReadonlySet<string> = new Set(['to', 'webhook_url', 'chat_id']);

/** The settings as the API takes them, with what the former configuration holds beside them. */
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

/** The channel of an alert and what it needs to reach its receiver. */
export function ChannelFields({
  settings,
  hasSecret,
  error,
  onChange,
}: {
  settings: ChannelSettings;
  /** Whether a secret may be set already. */
  hasSecret: boolean;
  error: Error | null;
  onChange: (changes: Partial<ChannelSettings>) => void;
}) {
  const { channel, address, chatId, secret, isUnsigned } = settings;
  const options = CHANNELS.includes(channel) ? CHANNELS : [channel, ...CHANNELS];
  return (
    <>
      <SelectField
        label={words.channel}
        error={fieldError(error, 'channel')}
        value={channel}
        options={options.map((one) => [one, words.channels[one]] as const)}
        onChange={(chosen) =>
          // An e-mail address is no address of a chat, and the other way round.
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
