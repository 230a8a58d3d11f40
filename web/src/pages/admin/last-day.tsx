import { Card } from '../../components/card.tsx';
import type { Schemas } from '../../api/client.ts';
import { Panel } from '../../components/page.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { formatClockTime, formatNumber } from '../../format.ts';
import { adminTexts } from '../../texts/admin.ts';

const words = adminTexts.overview.lastDay;
const MEASURES = ['completed', 'failed', 'posts', 'comments'] as const;

/** What ended in each of the last 24 hours: a total with a bar for each hour. */
export function LastDay({ hours }: { hours: Schemas['OverviewDto']['ended_jobs'] }) {
  if (hours === null)
    return (
      <Panel title={words.title}>
        <p className="text-sm text-bad">{adminTexts.overview.unavailable}</p>
      </Panel>
    );
  return (
    <section aria-label={words.title} className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {MEASURES.map((measure) => {
        const values = hours.map((hour) => hour[measure]);
        const most = Math.max(...values);
        const at = hours[values.indexOf(most)];
        return (
          <Card key={measure} className="min-w-0 p-3 sm:p-4">
            <h2 className="text-[13px] font-medium text-muted">{words.measures[measure]}</h2>
            <p className="mt-1 mb-2 flex flex-wrap items-baseline gap-x-2">
              <span className="text-xl font-semibold tabular-nums">
                {formatNumber(values.reduce((sum, value) => sum + value, 0))}
              </span>
              <span className="text-[13px] text-muted">{words.period}</span>
            </p>
            <Sparkline values={values} tone={measure === 'failed' ? 'bad' : 'accent'} />
            <p className="mt-1 text-[12px] text-muted">
              {at !== undefined && most > 0
                ? words.most(formatNumber(most), formatClockTime(new Date(at.hour)))
                : words.none}
            </p>
          </Card>
        );
      })}
    </section>
  );
}
