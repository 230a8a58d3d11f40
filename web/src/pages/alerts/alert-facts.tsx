import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { matchCountQuery } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import type { DeliveryHealth } from '../../components/delivery-health.ts';
import { ResultBars } from '../../components/recent-results.tsx';
import { ShortList } from '../../components/short-list.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { type Alert, cannotSend, isOnlyInMentions } from './alerts.ts';
import { channelTitle } from './channel-settings.ts';
import { deliveryOf, deliveryText } from './delivery.ts';

const words = alertsTexts;

/** How an alert does, where it looks, and when and by what it notifies. */
export function AlertFacts({
  alert,
  health,
  wasSeen,
}: {
  alert: Alert;
  health: DeliveryHealth | undefined;
  wasSeen: boolean;
}) {
  const isMuted = isOnlyInMentions(alert);
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
      <AlertState alert={alert} streak={cannotSend(alert) ? null : isMuted ? 0 : (health?.streak ?? 0)} />
      {health !== undefined && !isMuted && <ResultBars outcomes={health.outcomes} />}
      <span>{alert.forums.length === 0 ? words.everywhere : <ShortList items={alert.forums} />}</span>
      <span>{isMuted ? words.onlyInMentions : channelTitle(alert.channel)}</span>
      {wasSeen && <Found alertId={alert.id} />}
      <span>{words.triggered(formatNumber(alert.trigger_count))}</span>
      {alert.last_triggered_at !== null && (
        <span>
          {words.lastTriggered} <Time at={alert.last_triggered_at} />
        </span>
      )}
      <span>{deliveryText(deliveryOf(alert.delivery ?? null))}</span>
    </p>
  );
}

/** How much an alert has found, which leads to its mentions. */
function Found({ alertId }: { alertId: string }) {
  const { workspace_id } = useSession();
  const count = useQuery(matchCountQuery(workspace_id, alertId)).data;
  if (count === undefined) return null;
  return (
    <Link to="/mentions" search={{ alert: alertId, state: 'all' }} className="text-accent">
      {words.found(formatNumber(count.total), formatNumber(count.fresh))}
    </Link>
  );
}

/** Whether an alert is active, and whether its notifications arrive; null for a streak means that they cannot be sent. */
function AlertState({ alert, streak }: { alert: Alert; streak: number | null }) {
  if (!alert.is_active) return <StatusDot tone="warn">{words.paused}</StatusDot>;
  if (streak === null) return <StatusDot tone="bad">{words.cannotSend}</StatusDot>;
  if (streak > 0) return <StatusDot tone="bad">{deliveriesTexts.streak(formatNumber(streak))}</StatusDot>;
  return <StatusDot tone="good">{words.active}</StatusDot>;
}

/** Why nothing of an active alert arrives; null while something does. */
export function obstacleOf(alert: Alert, health: DeliveryHealth | undefined): string | null {
  if (!alert.is_active) return null;
  if (cannotSend(alert)) return words.noEmail;
  return isOnlyInMentions(alert) ? null : (health?.reason ?? null);
}
