import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { RecordActions } from '../../components/record-actions.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import AlertBuilder from './alert-builder.tsx';
import { type Alert, deleteAlert, setAlertActive } from './alerts.ts';

const words = alertsTexts;

/** What can be done with an alert: as buttons on its page, where `isMenu` as a menu in the list. */
export function AlertActions({
  alert,
  isMenu = false,
  onTested,
  onDeleted,
}: {
  alert: Alert;
  isMenu?: boolean;
  onTested?: () => void;
  onDeleted?: () => void;
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const path = { workspace_id, alert_id: alert.id };
  const refresh = () => client.invalidateQueries({ queryKey: keys.allAlerts() });
  return (
    <RecordActions
      words={words}
      id={alert.id}
      {...(isMenu && { name: alert.name, isMenu })}
      isActive={alert.is_active}
      deleted={words.deleted(alert.name)}
      action={{
        text: words.test,
        run: async () => {
          await dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/test', { params: { path } }),
          );
          await client.invalidateQueries({ queryKey: keys.deliveries({ kind: 'alert', id: alert.id }) });
          onTested?.();
        },
      }}
      form={(onClose) => <AlertBuilder alert={alert} onClose={onClose} />}
      onToggle={async () => {
        await setAlertActive(workspace_id, alert.id, !alert.is_active);
        await refresh();
      }}
      onDelete={async () => {
        await deleteAlert(workspace_id, alert.id);
        await refresh();
      }}
      {...(onDeleted && { onDeleted })}
    />
  );
}
