import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card.tsx';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { FileParts } from '../../components/file-parts.tsx';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { deleteLater } from '../../components/undo.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { datasetsTexts } from '../../texts/datasets.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { searchTexts } from '../../texts/search.ts';
import { filterTexts } from '../search/filter-names.ts';
import { searchOf } from '../search/search-record.ts';
import { type Dataset, datasetsQuery } from './datasets.ts';

const words = datasetsTexts;
const TONES: Record<Dataset['status'], Tone> = {
  pending: 'warn',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
};

/** A search whose results were frozen, so that a study can name them, with its files. */
export function DatasetCard({ dataset }: { dataset: Dataset }) {
  const session = useSession();
  const client = useQueryClient();
  const { of, q } = dataset;
  const filters = filterTexts({ ...(q !== null && { q }), ...dataset.filters });
  const remove = async (): Promise<void> => {
    await dataOf(
      api.DELETE('/api/v1/workspaces/{workspace_id}/datasets/{dataset_id}', {
        params: { path: { workspace_id: session.workspace_id, dataset_id: dataset.id } },
        keepalive: true,
      }),
    );
    await client.invalidateQueries(datasetsQuery(session.workspace_id));
  };
  return (
    <Card as="li" className="p-4 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{dataset.name}</h2>
          <p className="mt-1 text-sm">
            {searchTexts.of[of]} · {filters.length === 0 ? exportsTexts.noFilters : filters.join(' · ')}{' '}
            <Link
              to="/search"
              search={searchOf({ of, q, filters: dataset.filters })}
              className="whitespace-nowrap text-accent underline sm:ml-2"
            >
              {exportsTexts.toSearch}
            </Link>
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
            <StatusDot tone={TONES[dataset.status]} isMoving={dataset.status === 'running'}>
              {exportsTexts.statuses[dataset.status]}
            </StatusDot>
            <span className="tabular-nums">
              {exportsTexts.rows(formatNumber(dataset.rows))}, {formatBytes(dataset.bytes)}
            </span>
            <span>
              {words.frozen} <Time at={dataset.manifest?.frozen_at ?? dataset.created_at} />
            </span>
            {dataset.erased_rows > 0 && <span>{words.erased(formatNumber(dataset.erased_rows))}</span>}
          </p>
          {dataset.error_message !== null && <p className="mt-1 text-sm text-bad">{dataset.error_message}</p>}
        </div>
        {session.allows('write') && (
          <Button
            look="danger"
            aria-label={words.deleteNamed(dataset.name)}
            onClick={() => deleteLater({ ids: [dataset.id], text: words.deleted(dataset.name), run: remove })}
          >
            {words.delete}
          </Button>
        )}
      </div>
      <FileParts parts={dataset.parts} />
    </Card>
  );
}
