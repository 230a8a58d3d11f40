import { ownTimeZone } from '../../format.ts';
import { type ChannelSettings, channelOf, configOf } from '../alerts/channel-settings.ts';
import type { Report } from './reports.ts';

/** A report as edited in its form. */
export interface ReportDraft extends Pick<
  Report,
  'name' | 'alerts' | 'searches' | 'every' | 'weekday' | 'at' | 'timezone'
> {
  destination: ChannelSettings;
}

/** The draft of a report that exists, or of a new one. */
export const draftOf = (report: Report | null): ReportDraft => ({
  name: report?.name ?? '',
  alerts: report?.alerts ?? [],
  searches: report?.searches ?? [],
  every: report?.every ?? 'week',
  weekday: report?.weekday ?? 'monday',
  at: report?.at ?? '08:00',
  timezone: report?.timezone ?? ownTimeZone,
  destination: channelOf(report),
});

/** What a draft counts and when, in the API's format. */
export const planOf = ({ alerts, searches, every, weekday, at, timezone }: ReportDraft) => ({
  alerts,
  searches,
  every,
  weekday,
  at,
  timezone,
});

/** A draft in the API's format, with the other settings of its former channel. */
export const reportOf = (draft: ReportDraft, former: Report | null) => ({
  name: draft.name,
  ...planOf(draft),
  channel: draft.destination.channel,
  channel_config: configOf(draft.destination, former?.channel_config),
});

/** Ids with one more, or without it. */
export const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
