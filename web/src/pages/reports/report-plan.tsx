import { formatNumber } from '../../format.ts';
import { reportsTexts } from '../../texts/reports.ts';
import { isOnlyInMentions } from '../alerts/alerts.ts';
import { channelTitle } from '../alerts/channel-settings.ts';
import { planText, type Report } from './reports.ts';

const words = reportsTexts;

/** When a report is sent, over what and where to, in a line. */
export function ReportPlan({ report }: { report: Report }) {
  const { alerts, searches, channel, timezone } = report;
  const counted = [
    ...(alerts.length > 0 ? [words.alertCount(formatNumber(alerts.length))] : []),
    ...(searches.length > 0 ? [words.searchCount(formatNumber(searches.length))] : []),
  ];
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-muted">
      <span>
        {planText(report)} ({timezone})
      </span>
      <span>{words.over(counted.join(', '))}</span>
      <span>{isOnlyInMentions(report) ? words.onlyHere : channelTitle(channel)}</span>
    </p>
  );
}
