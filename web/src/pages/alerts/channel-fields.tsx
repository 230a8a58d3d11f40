import { type ComponentProps, Fragment } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { Checkbox, SelectField, TextField } from '../../components/controls.tsx';
import { secretAdvice } from '../../components/secret-advice.ts';
import { fieldError } from '../../components/states.tsx';
import { HAS_EMAIL } from '../../synthetic.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { type Channel, type ChannelField, type ChannelSettings, fieldsOf } from './channel-settings.ts';

const words = alertsTexts;

/** How the form asks for a setting. */
const INPUTS: Record<ChannelField['input'], ComponentProps<'input'>> = {
  url: { type: 'url' },
  emails: { type: 'email', multiple: true },
  text: {},
  secret: { autoComplete: 'off', spellCheck: false },
};

/** Whether nothing is sent by a channel: an alert by email without an address, where the service has no mail server. */
const isSilent = (channel: Channel, { to = '' }: ChannelSettings['typed']): boolean =>
  channel === 'email' && !HAS_EMAIL && to === '';

/** The channel of an alert or a report and the settings that it needs. */
export function ChannelFields({
  settings,
  former,
  silent = words.onlyInMentions,
  error,
  onChange,
}: {
  settings: ChannelSettings;
  /** What a channel that sends nothing is called. */
  silent?: string;
  /** The channel that the record has had; null for a new one. */
  former: Channel | null;
  error: Error | null;
  onChange: (changes: Partial<ChannelSettings>) => void;
}) {
  const { channel, typed, isUnsigned } = settings;
  const options = KINDS.channels.filter(({ name, isAlias }) => !isAlias || name === channel);
  return (
    <>
      <SelectField
        label={words.channel}
        error={fieldError(error, 'channel')}
        value={channel}
        options={options.map(({ name, title }) => [name, isSilent(name, typed) ? silent : title] as const)}
        hint={isSilent(channel, typed) ? words.noEmailHint : undefined}
        onChange={(chosen) => onChange({ channel: chosen })}
      />
      {(isSilent(channel, typed) ? [] : fieldsOf(channel)).map(({ key, input, label, hint, isRequired }) => {
        const mayBeKept = input === 'secret' && channel === former;
        const text = typed[key] ?? '';
        const advice = input === 'secret' ? secretAdvice(text) : undefined;
        return (
          <Fragment key={key}>
            {mayBeKept && (
              <Checkbox
                label={words.unsigned}
                checked={isUnsigned}
                onChange={({ target }) => onChange({ isUnsigned: target.checked })}
              />
            )}
            {!(mayBeKept && isUnsigned) && (
              <TextField
                {...INPUTS[input]}
                label={label}
                hint={advice ?? (mayBeKept ? words.secretKept : hint)}
                error={fieldError(error, `channel_config.${key}`)}
                required={isRequired}
                value={text}
                onChange={(changed) => onChange({ typed: { ...typed, [key]: changed } })}
              />
            )}
          </Fragment>
        );
      })}
    </>
  );
}
