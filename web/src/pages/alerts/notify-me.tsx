import { useNotifications } from '../../api/notifications.ts';
import { Button } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import type { Alert } from './alerts.ts';

/** Switches the person's own notifications of an alert on and off; nothing for a session of a key. */
export function NotifyMe({ alert }: { alert: Alert }) {
  const { settings, change } = useNotifications();
  if (settings.data === undefined) return null;
  const isOn = settings.data.alert_ids.includes(alert.id);
  return (
    <>
      <Button
        aria-pressed={isOn}
        aria-label={`${alertsTexts.notifyMe}: ${alert.name}`}
        disabled={change.isPending}
        onClick={() => change.mutate(isOn ? { remove_alert_ids: [alert.id] } : { add_alert_ids: [alert.id] })}
      >
        {isOn ? alertsTexts.notifyingMe : alertsTexts.notifyMe}
      </Button>
      {change.error && <ErrorNote error={change.error} />}
    </>
  );
}
