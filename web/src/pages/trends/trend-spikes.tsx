import { LineMark } from '../../components/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { SpikeEntry } from '../../components/spike-entry.tsx';
import { trendsTexts } from '../../texts/trends.ts';
import { searchOf } from '../search/search-record.ts';
import type { Line } from './trend-lines.ts';
import type { LineSpike } from './use-spikes.ts';

const SHOWN = 9;

/** What caused the marked spikes of the chart, latest first; nothing when there are none. */
export function TrendSpikes({ spikes, lines }: { spikes: readonly LineSpike[]; lines: readonly Line[] }) {
  if (spikes.length === 0) return null;
  return (
    <Panel title={trendsTexts.spikes}>
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {spikes.slice(0, SHOWN).map(({ line, spike }) => {
          const { of = 'posts', q } = lines[line]!.search;
          return (
            <SpikeEntry
              key={`${line} ${spike.start}`}
              spike={spike}
              search={searchOf({
                of,
                ...(q !== undefined && { q }),
                filters: { created_after: spike.start, created_before: spike.end },
              })}
              mark={
                lines.length > 1 && (
                  <span className="mr-2 inline-flex align-middle">
                    <LineMark index={line} />
                  </span>
                )
              }
            />
          );
        })}
      </ul>
    </Panel>
  );
}
