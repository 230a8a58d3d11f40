import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileChartColumn } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { trendsTexts } from '../../texts/trends.ts';
import { reportsQuery } from '../reports/reports.ts';
import { csvOf } from './trend-values.ts';
import type { Trend } from './trend.ts';

const words = trendsTexts.take;

/** Takes the chart along: as numbers, as a picture, as the address of the page, or each week as a report. */
export function Take({ trend }: { trend: Trend }) {
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button onClick={() => save('trends.csv', new Blob([csvOf(trend, words.start)], { type: 'text/csv' }))}>
        {words.csv}
      </Button>
      <Button
        onClick={() =>
          document
            .querySelector<HTMLCanvasElement>('main canvas')
            ?.toBlob((picture) => picture && save('trends.png', picture))
        }
      >
        {words.png}
      </Button>
      <CopyButton text={location.href} label={words.link} />
      <WeeklyReport />
    </div>
  );
}

/** The way to the weekly report, or to all when there are several; to a new one when there is none. */
function WeeklyReport() {
  const { workspace_id, allows } = useSession();
  const { data } = useQuery(reportsQuery(workspace_id));
  const weekly = data?.filter(({ every }) => every === 'week') ?? [];
  const look = `${buttonClass()} ${data === undefined ? 'invisible' : ''}`;
  const icon = <FileChartColumn className="size-3.5" />;
  if (weekly.length === 1)
    return (
      <Link to="/reports/$reportId" params={{ reportId: weekly[0]!.id }} className={look}>
        {icon} {trendsTexts.report.weekly}
      </Link>
    );
  const isNew = weekly.length === 0 && allows('write');
  return (
    <Link to="/reports" search={isNew ? { create: 'yes' } : {}} className={look}>
      {icon} {isNew ? trendsTexts.report.create : trendsTexts.report.weekly}
    </Link>
  );
}

/** Downloads data that the page made. */
function save(name: string, data: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
