import type { Schemas } from '../../api/client.ts';
import type { DeliveryHealth } from '../../components/delivery-health.ts';
import { KINDS } from '../../api/kinds.ts';
import { formatNumber, formatPercent } from '../../format.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { homeTexts } from '../../texts/home.ts';

const words = homeTexts.attention;
const FAILED_FOR_MS = 7 * 86_400_000;
const NEARLY_FULL = 0.8;
const SHOWN_HOST = 60;

/** Codes of failures with which the source itself refuses to be read. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([
  'target_private',
  'target_banned',
  'target_quarantined',
  'target_gated',
  'target_forbidden',
  'credentials_missing',
  'credentials_refused',
  'blocked',
]);

/** Something that does not work until somebody acts. */
export interface Attention {
  key: string;
  tone: 'bad' | 'warn';
  title: string;
  text: string;
  link:
    | { to: '/jobs/$jobId'; params: { jobId: string } }
    | { to: '/webhooks/$webhookId'; params: { webhookId: string } }
    | { to: '/alerts/$alertId'; params: { alertId: string } }
    | { to: '/schedules' | '/settings' };
}

/** An alert and how its messages go; null while that is not known. */
export interface HealthOfAlert {
  alert: Pick<Schemas['AlertDto'], 'id' | 'name' | 'is_active'>;
  health: Pick<DeliveryHealth, 'streak' | 'reason'> | null;
  /** Why it cannot send any message; null if it can. */
  obstacle: string | null;
}

/**
 * What needs attention: sources whose latest job failed within a week, alerts whose messages do not arrive, failing
 * webhooks, paused schedules and quotas that are used by more than 80 %. `jobs` are newest first.
 */
export function attentionOf(
  {
    jobs,
    alerts,
    webhooks,
    schedules,
    quotas,
  }: {
    jobs: readonly Schemas['JobDto'][];
    alerts: readonly HealthOfAlert[];
    webhooks: readonly Schemas['WebhookDto'][];
    schedules: readonly Schemas['ScheduleDto'][];
    quotas: Record<string, { limit: number; used: number }>;
  },
  now: number = Date.now(),
): Attention[] {
  return [
    ...failedSources(jobs, now),
    ...alerts.flatMap((one) => failingAlert(one)),
    ...webhooks.flatMap((webhook) => failingWebhook(webhook)),
    ...schedules
      .filter((schedule) => !schedule.is_active)
      .map((schedule): Attention => ({
        key: schedule.id,
        tone: 'warn',
        title: schedule.target,
        text: words.pausedSchedule,
        link: { to: '/schedules' },
      })),
    ...KINDS.quotas.flatMap(({ name, title }): Attention[] => {
      const { limit, used } = quotas[name] ?? { limit: 0, used: 0 };
      if (limit === 0 || used / limit <= NEARLY_FULL) return [];
      const text = words.quota(formatPercent(used / limit));
      return [{ key: name, tone: used >= limit ? 'bad' : 'warn', title, text, link: { to: '/settings' } }];
    }),
  ];
}

function failedSources(jobs: readonly Schemas['JobDto'][], now: number): Attention[] {
  const seen = new Set<string>();
  return jobs.flatMap((job): Attention[] => {
    const source = `${job.target_type} ${job.target.toLowerCase()}`;
    const isLatest = !seen.has(source) && (job.status === 'completed' || job.status === 'failed');
    if (isLatest) seen.add(source);
    if (!isLatest || job.status !== 'failed' || now - Date.parse(job.created_at) > FAILED_FOR_MS) return [];
    return [
      {
        key: job.id,
        tone: 'bad',
        title: job.target,
        text: `${REFUSALS.has(job.progress.error_code) ? words.refusal : words.failedJob} ${job.error_message ?? ''}`,
        link: { to: '/jobs/$jobId', params: { jobId: job.id } },
      },
    ];
  });
}

function failingAlert({ alert, health, obstacle }: HealthOfAlert): Attention[] {
  const streak = health?.streak ?? 0;
  const text = obstacle ?? (streak > 0 ? words.failingAlert(streak, health?.reason ?? '') : null);
  if (!alert.is_active || text === null) return [];
  const link = { to: '/alerts/$alertId', params: { alertId: alert.id } } as const;
  return [{ key: alert.id, tone: 'bad', title: alert.name, text, link }];
}

function failingWebhook({ id, url, failure_count, is_active }: Schemas['WebhookDto']): Attention[] {
  if (failure_count === 0) return [];
  return [
    {
      key: id,
      tone: 'bad',
      title: hostOf(url),
      text: is_active
        ? words.failingWebhook(failure_count)
        : `${webhooksTexts.stopped(formatNumber(failure_count))}.`,
      link: { to: '/webhooks/$webhookId', params: { webhookId: id } },
    },
  ];
}

/** The host of an address, without paths, which often hold tokens. */
const hostOf = (url: string): string => (URL.parse(url)?.host ?? url).slice(0, SHOWN_HOST);
