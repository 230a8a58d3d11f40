import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { matchCountQuery } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import type { DeliveryHealth } from '../../components/delivery-health.ts';
import { ResultBars } from '../../components/recent-results.tsx';
import { ShortList } from '../../components/short-list.tsx';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { type Alert, cannotSend, isOnlyInMentions } from './alerts.ts';
import { channelTitle } from './channel-settings.ts';
import { deliveryOf, deliveryText } from './delivery.ts';

const words = alertsTexts;

/** How an alert does, where it looks, and when and by what it notifies. */
export function AlertFacts({ alert, health }: { alert: Alert; health: DeliveryHealth | undefined }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
      <AlertState alert={alert} health={health} />
      <span>{alert.forums.length === 0 ? words.everywhere : <ShortList items={alert.forums} />}</span>
      <span>{channelOfAlert(alert)}</span>
      <AlertFound alertId={alert.id} />
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

/** Where an alert sends what it finds. */
export const channelOfAlert = (alert: Alert): string =>
  isOnlyInMentions(alert) ? words.onlyInMentions : channelTitle(alert.channel);

/** How much an alert has found, which leads to its mentions. */
export function AlertFound({ alertId, enabled = true }: { alertId: string; enabled?: boolean }) {
  const { workspace_id } = useSession();
  const count = useQuery({ ...matchCountQuery(workspace_id, alertId), enabled }).data;
  if (count === undefined) return null;
  return (
    <Link to="/mentions" search={{ alert: alertId, state: 'all' }} className="text-accent">
      {words.found(formatNumber(count.total), formatNumber(count.fresh))}
    </Link>
  );
}

/** Whether an alert is active, and whether its last notifications arrived. */
export function AlertState({ alert, health }: { alert: Alert; health: DeliveryHealth | undefined }) {
  const { tone, text } = stateOf(alert, health);
  return (
    <>
      <StatusDot tone={tone}>{text}</StatusDot>
      {health !== undefined && !isOnlyInMentions(alert) && <ResultBars outcomes={health.outcomes} />}
    </>
  );
}

function stateOf(alert: Alert, health: DeliveryHealth | undefined): { tone: Tone; text: string } {
  const streak = isOnlyInMentions(alert) ? 0 : (health?.streak ?? 0);
  if (!alert.is_active) return { tone: 'warn', text: words.paused };
  if (cannotSend(alert)) return { tone: 'bad', text: words.cannotSend };
  if (streak > 0) return { tone: 'bad', text: deliveriesTexts.streak(formatNumber(streak)) };
  return { tone: 'good', text: words.active };
}

/** Why nothing of an active alert arrives; null while something does. */
export function obstacleOf(alert: Alert, health: DeliveryHealth | undefined): string | null {
  if (!alert.is_active) return null;
  if (cannotSend(alert)) return words.noEmail;
  return isOnlyInMentions(alert) ? null : (health?.reason ?? null);
}
