import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useNotifications } from '../../api/notifications.ts';
import { useSession } from '../../api/session.ts';
import { Button, TextField } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { fieldError } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { settingsTexts } from '../../texts/settings.ts';

const words = settingsTexts.notifications;

/** Where the person who has signed in is notified of alerts, and whether the last notification arrived. */
export function Notifications() {
  const session = useSession();
  const { settings, change } = useNotifications();
  const [email, setEmail] = useState('');
  const send = async (address: string | null): Promise<void> => {
    await change.mutateAsync({ email: address });
    setEmail('');
  };
  return (
    <Panel title={words.title}>
      <QueryView query={settings}>
        {({ email: current, pending_email: pending, alert_ids: alerts }) => (
          <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
            <p>
              <span className="font-medium">{current}</span>{' '}
              <span className="text-muted">{words.alerts(formatNumber(alerts.length))}</span>
            </p>
            {pending !== null && <p className="text-warn">{words.pending(pending)}</p>}
            <LastNotification />
            <Form
              error={change.error}
              className="grid items-start gap-2 sm:grid-cols-[1fr_auto]"
              onSubmit={() => void send(email).catch(() => undefined)}
              actions={
                <Button type="submit" className="sm:mt-6" disabled={change.isPending}>
                  {words.confirm}
                </Button>
              }
            >
              <TextField
                label={words.other}
                hint={words.otherHint}
                error={fieldError(change.error, 'email')}
                type="email"
                required
                value={email}
                onChange={setEmail}
              />
            </Form>
            {(current !== session.key_prefix || pending !== null) && (
              <Button disabled={change.isPending} onClick={() => void send(null).catch(() => undefined)}>
                {words.useAccount(session.key_prefix)}
              </Button>
            )}
          </div>
        )}
      </QueryView>
    </Panel>
  );
}

/** Why the last notification did not arrive, if it did not. */
function LastNotification() {
  const { workspace_id } = useSession();
  const last = useQuery({
    queryKey: keys.ownDeliveries(workspace_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/me/notifications/deliveries', {
          params: { path: { workspace_id }, query: { limit: 1 } },
        }),
      ),
  });
  const error = last.data?.deliveries[0]?.error;
  return error == null ? null : <p className="text-bad">{words.failed(error)}</p>;
}
