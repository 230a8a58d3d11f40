import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KINDS } from '../../api/kinds.ts';
import { choices } from '../../choices.ts';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { SelectField, TextField } from '../../components/controls.tsx';
import { ForumChoices } from '../../components/forum-choices.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { beforeLastName } from '../../components/last-name.ts';
import { ListenField } from '../../components/listen-field.tsx';
import { More } from '../../components/more.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useForm } from '../../components/use-form.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { type AlertBeginning, changedAlertOf, conditionOf, draftOf, newAlertOf } from './alert-draft.ts';
import { AlertPreview } from './alert-preview.tsx';
import type { Alert } from './alerts.ts';
import { ChannelFields } from './channel-fields.tsx';
import { channelOf, configOf } from './channel-settings.ts';
import { ConditionFields } from './condition-fields.tsx';
import { deliveryText } from './delivery.ts';
import { DeliveryFields } from './delivery-fields.tsx';
import { ListeningState } from './listening-state.tsx';

const words = alertsTexts;

/** The form of an alert, which creates it or changes it. */
function useAlertForm(alert: Alert | null, beginning: AlertBeginning, onClose: () => void) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useForm({
    draft: `alert ${workspace_id} ${alert?.id ?? JSON.stringify(beginning)}`,
    initial: () => ({ ...draftOf(alert, beginning), destination: channelOf(alert) }),
    send: ({ destination, ...draft }, key) => {
      const sent = {
        channel: destination.channel,
        channel_config: configOf(destination, alert?.channel_config),
      };
      return alert === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/alerts', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
              body: { ...newAlertOf(draft), ...sent },
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
              params: { path: { workspace_id, alert_id: alert.id } },
              body: { ...changedAlertOf(draft), ...sent },
            }),
          );
    },
    onSent: async ({ id }) => {
      await client.invalidateQueries({ queryKey: keys.allAlerts() });
      onClose();
      if (alert === null)
        void navigate({ to: '/alerts/$alertId', params: { alertId: id }, search: { created: 'yes' } });
    },
  });
}
type AlertForm = ReturnType<typeof useAlertForm>;

/** Creates or changes an alert, and shows which of the stored posts and comments it would have matched. */
export default function AlertBuilder({
  alert,
  beginning = {},
  onClose,
}: {
  alert: Alert | null;
  beginning?: AlertBeginning;
  onClose: () => void;
}) {
  const form = useAlertForm(alert, beginning, onClose);
  const { value: draft, change, error } = form;
  return (
    <FormModal
      title={alert === null ? words.create : words.editTitle(alert.name)}
      wide
      form={form}
      words={{ submit: alert === null ? words.submit : words.save, submitting: words.submitting }}
      onClose={onClose}
    >
      {beginning.left !== undefined && beginning.left.length > 0 && (
        <p className="rounded-lg bg-raised px-3 py-2 text-sm text-warn">
          {words.left(beginning.left.join(', '))}
        </p>
      )}
      <div className="grid gap-6 md:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <ConditionFields form={form} />
          <ListenFields form={form} alertId={alert?.id ?? null} />
          <NameField error={error} value={draft.name} onChange={(name) => change({ name })} />
          <ChannelFields
            settings={draft.destination}
            former={alert?.channel ?? null}
            error={error}
            onChange={(changes) => change({ destination: { ...draft.destination, ...changes } })}
          />
          <PlaceFields form={form} />
          <SendingFields form={form} />
        </div>
        <AlertPreview condition={conditionOf(draft)} />
      </div>
    </FormModal>
  );
}

const MOST_QUESTION_LENGTH = 500;

/** When the channel is sent to, and below which relevance it is not. */
function SendingFields({ form: { value: draft, change, error, errorOf } }: { form: AlertForm }) {
  return (
    <More
      title={words.delivery.title}
      summary={deliveryText(draft.delivery)}
      hasError={['condition', 'delivery', 'min_relevance', 'question'].some(
        (field) => errorOf(field) !== undefined,
      )}
    >
      <SelectField
        label={words.trigger}
        error={errorOf('condition')}
        value={draft.trigger.kind ?? 'match'}
        options={choices(KINDS.lists.alertTriggers, words.triggerNames)}
        onChange={(kind) => change({ trigger: { kind } })}
      />
      <DeliveryFields
        settings={draft.delivery}
        error={error}
        onChange={(changes) => change({ delivery: { ...draft.delivery, ...changes } })}
      />
      <TextField
        label={words.minRelevance}
        hint={words.minRelevanceHint}
        error={errorOf('min_relevance')}
        type="number"
        min={0}
        max={100}
        value={draft.minRelevance}
        onChange={(minRelevance) => change({ minRelevance })}
      />
      <TextField
        label={words.question}
        hint={words.questionHint}
        error={errorOf('question')}
        maxLength={MOST_QUESTION_LENGTH}
        value={draft.question}
        onChange={(question) => change({ question })}
      />
    </More>
  );
}

/** Whether an alert looks only at what jobs collect, or the service listens for it. */
function ListenFields({
  form: { value: draft, change, errorOf },
  alertId,
}: {
  form: AlertForm;
  alertId: string | null;
}) {
  return (
    <div className="space-y-2">
      <ListenField
        value={draft.listenText}
        error={errorOf('listen')}
        onChange={(listenText) => change({ listenText })}
      />
      {alertId !== null && draft.listenText !== '' && <ListeningState alertId={alertId} />}
    </div>
  );
}

/** What an alert looks at: posts or comments, and in which forums. */
function PlaceFields({ form: { value: draft, change, errorOf } }: { form: AlertForm }) {
  return (
    <More
      title={words.where}
      summary={[words.ofNames[draft.of], draft.forumText.trim() || words.everywhere].join(', ')}
      hasError={errorOf('forums') !== undefined}
    >
      <div className="space-y-4">
        <SelectField
          label={words.of}
          value={draft.of}
          options={choices(KINDS.lists.alertScopes, words.ofNames)}
          onChange={(of) => change({ of })}
        />
        <TextField
          label={words.forums}
          hint={words.forumsHint}
          error={errorOf('forums')}
          list="alert-forums"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={draft.forumText}
          onChange={(forumText) => change({ forumText })}
        />
        <ForumChoices id="alert-forums" before={beforeLastName(draft.forumText)} />
      </div>
    </More>
  );
}
