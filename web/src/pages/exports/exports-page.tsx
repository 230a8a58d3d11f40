import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { LoadMore } from '../../components/query-view.tsx';
import { datasetsTexts } from '../../texts/datasets.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { DatasetCard } from '../datasets/dataset-card.tsx';
import { DatasetForm } from '../datasets/dataset-form.tsx';
import { type Dataset, datasetsQuery } from '../datasets/datasets.ts';
import { readSearchState } from '../search/search-state.ts';
import { ExportCard } from './export-card.tsx';
import { ExportForm } from './export-form.tsx';
import { type Export, exportsQuery, recurringExportsQuery } from './exports.ts';
import { type Entry, nextToRead, oneList } from './one-list.ts';
import { RecurringCard } from './recurring-card.tsx';

const words = exportsTexts;
const route = getRouteApi('/exports');

/** Which form is open: `dataset` freezes a search, and anything else exports. */
const FREEZE = 'dataset';

/** Recurring exports, then exports and datasets of the workspace in one list. */
export function ExportsPage() {
  const { create, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { allows } = useSession();
  const { query, more } = useFiles();
  const Form = create === FREEZE ? DatasetForm : ExportForm;
  return (
    <ListPage
      words={words}
      query={query}
      more={more && <LoadMore query={more} />}
      creating={create !== undefined}
      form={
        <Form search={readSearchState(search)} onClose={() => void navigate({ search: {}, replace: true })} />
      }
      other={
        allows('write') && (
          <Button onClick={() => void navigate({ search: { create: FREEZE } })}>
            {datasetsTexts.create}
          </Button>
        )
      }
      onCreate={() => void navigate({ search: { create: 'yes' } })}
    >
      {(file) =>
        'next_run_at' in file ? (
          <RecurringCard key={file.id} record={file} />
        ) : file.of === 'export' ? (
          <ExportCard key={file.id} record={file.record} />
        ) : (
          <DatasetCard key={file.id} dataset={file.record} />
        )
      }
    </ListPage>
  );
}

/** Recurring exports, then both lists of files as one, and the list of which more is to be read next. */
function useFiles() {
  const { workspace_id } = useSession();
  const exports = useInfiniteQuery(exportsQuery(workspace_id));
  const datasets = useInfiniteQuery(datasetsQuery(workspace_id));
  const recurring = useQuery(recurringExportsQuery(workspace_id));
  const parts = [
    {
      entries: exports.data?.pages.flatMap((page) => page.exports.map(exportEntry)) ?? [],
      hasMore: exports.hasNextPage,
    },
    {
      entries: datasets.data?.pages.flatMap((page) => page.datasets.map(datasetEntry)) ?? [],
      hasMore: datasets.hasNextPage,
    },
  ];
  return {
    query: {
      data: exports.data && datasets.data && recurring.data && [...recurring.data, ...oneList(parts)],
      error: exports.error ?? datasets.error ?? recurring.error,
      refetch: () => Promise.all([exports.refetch(), datasets.refetch(), recurring.refetch()]),
    },
    more: [exports, datasets][nextToRead(parts)],
  };
}

const exportEntry = (record: Export): Entry => ({
  of: 'export',
  id: record.id,
  createdAt: record.created_at,
  record,
});
const datasetEntry = (record: Dataset): Entry => ({
  of: 'dataset',
  id: record.id,
  createdAt: record.created_at,
  record,
});
