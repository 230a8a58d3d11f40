import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { ShortList } from '../../components/short-list.tsx';
import { useForm } from '../../components/use-form.ts';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { commonTexts } from '../../texts/common.ts';
import { conditionOf, draftOf } from './alert-draft.ts';
import { AlertPreview } from './alert-preview.tsx';
import { type Alert, searchOfAlert } from './alerts.ts';
import { ConditionFields } from './condition-fields.tsx';

const words = alertPageTexts;

/** The query and keywords of an alert, which are changed in place. */
export function AlertQuery({ alert }: { alert: Alert }) {
  const mayWrite = useSession().allows('write');
  const [isEditing, setEditing] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    flushSync(() => setEditing(false));
    change.current?.focus();
  };
  return (
    <Panel
      title={words.query}
      actions={
        !isEditing && (
          <div className="flex items-center gap-3">
            <Link to="/search" search={searchOfAlert(alert)} className="text-[13px] text-accent">
              {words.inSearch}
            </Link>
            {mayWrite && (
              <Button ref={change} onClick={() => setEditing(true)}>
                {words.change}
              </Button>
            )}
          </div>
        )
      }
    >
      {isEditing ? <QueryForm alert={alert} onClose={close} /> : <QueryFacts alert={alert} />}
    </Panel>
  );
}

function QueryFacts({ alert: { query = null, keywords, of = 'posts', forums } }: { alert: Alert }) {
  return (
    <Facts
      facts={[
        [alertsTexts.query, query],
        [words.keywords, keywords.length === 0 ? null : <ShortList items={keywords} />],
        [
          alertsTexts.where,
          <>
            {alertsTexts.ofNames[of]},{' '}
            {forums.length === 0 ? alertsTexts.everywhere : <ShortList items={forums} />}
          </>,
        ],
      ]}
    />
  );
}

function QueryForm({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector('textarea')?.focus(), []);
  const form = useForm({
    initial: () => draftOf(alert, {}),
    send: (draft) =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
          params: { path: { workspace_id, alert_id: alert.id } },
          body: conditionOf(draft),
        }),
      ),
    onSent: async () => {
      await client.invalidateQueries({ queryKey: keys.allAlerts() });
      onClose();
    },
  });
  return (
    <Form
      error={form.error}
      className="space-y-3"
      onSubmit={() => void form.submit()}
      actions={
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={form.isPending}>
            {form.isPending ? alertsTexts.submitting : alertsTexts.save}
          </Button>
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
        </div>
      }
    >
      <div ref={fields} className="grid gap-4 md:grid-cols-2">
        <div className="min-w-0 space-y-3">
          <ConditionFields form={form} />
        </div>
        <AlertPreview condition={conditionOf(form.value)} />
      </div>
    </Form>
  );
}
