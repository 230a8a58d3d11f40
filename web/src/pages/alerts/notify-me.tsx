import { Bell, BellRing } from 'lucide-react';
import { useNotifications } from '../../api/notifications.ts';
import { Button } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import type { Alert } from './alerts.ts';

/** Switches the person's own notifications of an alert on and off, where `isShort` as a bell; nothing for a session of a key. */
export function NotifyMe({ alert, isShort = false }: { alert: Alert; isShort?: boolean }) {
  const { settings, change } = useNotifications();
  if (settings.data === undefined) return null;
  const isOn = settings.data.alert_ids.includes(alert.id);
  const text = isOn ? alertsTexts.notifyingMe : alertsTexts.notifyMe;
  return (
    <>
      <Button
        aria-pressed={isOn}
        title={text}
        aria-label={`${alertsTexts.notifyMe}: ${alert.name}`}
        disabled={change.isPending}
        onClick={() => change.mutate(isOn ? { remove_alert_ids: [alert.id] } : { add_alert_ids: [alert.id] })}
      >
        {isShort ? (
          isOn ? (
            <BellRing className="size-4 text-accent" />
          ) : (
            <Bell className="size-4 text-muted" />
          )
        ) : (
          text
        )}
      </Button>
      {change.error && <ErrorNote error={change.error} />}
    </>
  );
}
