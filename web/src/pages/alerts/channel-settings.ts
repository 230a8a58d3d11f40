import { KINDS } from '../../api/kinds.ts';
import type { Schemas } from '../../api/client.ts';
import type { Alert } from './alerts.ts';

export type Channel = Alert['channel'];
type ChannelConfig = NonNullable<Schemas['CreateAlertDto']['channel_config']>;

/** A setting of a channel, from its definition. */
export interface ChannelField {
  key: string;
  input: 'url' | 'emails' | 'text' | 'secret';
  label: string;
  hint?: string;
  isRequired: boolean;
}

const FIELDS: ReadonlyMap<string, readonly ChannelField[]> = new Map(
  KINDS.channels.map(({ name, fields }) => [name, fields]),
);

/** The settings of a channel. */
export const fieldsOf = (channel: Channel): readonly ChannelField[] => FIELDS.get(channel) ?? [];

/** Keys of configurations for which the form has fields. */
const OWN_KEYS: ReadonlySet<string> = new Set([...FIELDS.values()].flat().map(({ key }) => key));

/** What people call a channel. */
export const channelTitle = (channel: Channel): string =>
  KINDS.channels.find(({ name }) => name === channel)?.title ?? channel;

/** The destination of an alert, as edited in its form. */
export interface ChannelSettings {
  channel: Channel;
  /** What is typed for each setting, by key; e-mail addresses are separated by commas, an empty secret keeps the current one. */
  typed: Readonly<Record<string, string>>;
  /** Whether to remove the current secret. */
  isUnsigned: boolean;
}

/** The settings of an alert or a report, or the defaults of a new one. */
export function channelOf(record: Pick<Alert, 'channel' | 'channel_config'> | null): ChannelSettings {
  const config = Object.entries(record?.channel_config ?? {});
  return {
    channel: record?.channel ?? 'email',
    typed: Object.fromEntries(config.map(([key, value]) => [key, toText(value)])),
    isUnsigned: false,
  };
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The settings in the API's format, with the other keys of the previous configuration. */
export function configOf(settings: ChannelSettings, former: ChannelConfig = {}): ChannelConfig {
  const others = Object.entries(former).filter(([key]) => !OWN_KEYS.has(key));
  const own = fieldsOf(settings.channel).map((field) => [field.key, valueOf(field, settings)] as const);
  return Object.fromEntries([...others, ...own.filter(([, value]) => value !== undefined)]);
}

/** The value of a setting; undefined for an optional one without any. */
function valueOf(
  { key, input, isRequired }: ChannelField,
  { typed, isUnsigned }: ChannelSettings,
): string | string[] | null | undefined {
  if (input === 'secret' && isUnsigned) return null;
  const given = typed[key] ?? '';
  // A secret is taken as typed, white space too.
  const text = input === 'secret' ? given : given.trim();
  if (text === '' && !isRequired) return undefined;
  return input === 'emails' ? text.split(',').flatMap((one) => one.trim() || []) : text;
}
