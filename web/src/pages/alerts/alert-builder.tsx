import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Field, inputClass, TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import { AlertPreview } from './alert-preview.tsx';
import type { Alert } from './alerts.ts';
import { ChannelFields, channelOf, configOf } from './channel-fields.tsx';
import { keys } from '../../api/keys.ts';

const words = texts.alerts;

const partsOf = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** Creates or changes an alert, and shows which of the stored posts it would have matched. */
export default function AlertBuilder({
  alert,
  keywords: firstKeywords = alert?.keywords ?? [],
  forums: firstForums = alert?.forums ?? [],
  onClose,
}: {
  alert: Alert | null;
  keywords?: string[];
  forums?: string[];
  onClose: () => void;
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(alert?.name ?? firstKeywords.join(', ').slice(0, 255));
  const [keywordText, setKeywordText] = useState(firstKeywords.join('\n'));
  const [forumText, setForumText] = useState(firstForums.join(', '));
  const [channel, setChannel] = useState(() => channelOf(alert));
  const [idempotencyKey] = useState(newIdempotencyKey);
  const keywords = partsOf(keywordText, /\n/);
  const forums = partsOf(forumText, /,/);

  const save = useMutation({
    mutationFn: () => {
      const body = {
        name,
        keywords,
        forums,
        channel: channel.channel,
        channel_config: configOf(channel, alert?.channel_config),
      };
      return alert === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/alerts', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
              body,
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
              params: { path: { workspace_id, alert_id: alert.id } },
              body,
            }),
          );
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.allAlerts() });
      onClose();
      if (alert === null) void navigate({ to: '/alerts', search: {} });
    },
  });
  return (
    <FormModal
      title={alert === null ? words.create : words.editTitle(alert.name)}
      wide
      mutation={save}
      submit={alert === null ? words.submit : words.save}
      submitting={words.submitting}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <div className="space-y-4">
          <NameField error={save.error} value={name} onChange={setName} />
          <Field label={words.keywords} hint={words.keywordsHint} error={fieldError(save.error, 'keywords')}>
            {(control) => (
              <textarea
                {...control}
                className={inputClass}
                rows={4}
                required
                value={keywordText}
                onChange={({ target }) => setKeywordText(target.value)}
              />
            )}
          </Field>
          <TextField
            label={words.forums}
            hint={words.forumsHint}
            error={fieldError(save.error, 'forums')}
            value={forumText}
            onChange={setForumText}
          />
          <ChannelFields
            settings={channel}
            hasSecret={alert?.channel === 'webhook'}
            error={save.error}
            onChange={(changes) => setChannel({ ...channel, ...changes })}
          />
        </div>
        <AlertPreview keywords={keywords} forums={forums} />
      </div>
    </FormModal>
  );
}
