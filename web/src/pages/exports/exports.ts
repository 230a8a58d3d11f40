import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { fetchRows } from '../search/search-queries.ts';
import { filtersOf, type SearchState } from '../search/search-state.ts';
import type { Row, Sample } from './export-estimate.ts';

export type Export = Schemas['ExportDto'];
export type RecurringExport = Schemas['RecurringExportDto'];
export type NewExport = Schemas['CreateExportDto'];

/** How often the list is reloaded while it has an unfinished export. */
const REFRESH_MS = 1_000;
/** Runs of recurring exports begin and end by themselves. */
const RUNS_REFRESH_MS = 30_000;
const PAGE = 50;
/** Number of rows whose size stands for that of all. */
const SAMPLED = 50;

export const isUnfinished = ({ status }: Pick<Export, 'status'>): boolean =>
  status === 'pending' || status === 'running';

/** The stored exports, newest first. */
export const exportsQuery = (workspace_id: string) =>
  infiniteQueryOptions({
    queryKey: keys.exports(workspace_id),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/exports', {
          params: { path: { workspace_id }, query: { limit: PAGE, offset: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : null),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.exports.some(isUnfinished)) ? REFRESH_MS : false,
  });

/** The recurring exports, oldest first. */
export const recurringExportsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.recurringExports(workspace_id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/recurring-exports', {
          params: { path: { workspace_id } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.is_active) ? RUNS_REFRESH_MS : false),
  });

/** The newest rows that an export of a search would have, and how many it would have. */
export const sampleQuery = (workspace_id: string, { sort_by: _by, sort_order: _o, ...state }: SearchState) =>
  queryOptions({
    queryKey: keys.exportSample(workspace_id, state),
    queryFn: async ({ signal }): Promise<Sample> => {
      const query = { ...filtersOf(state), limit: SAMPLED };
      const { items, total } = await fetchRows(workspace_id, state.of, query, signal);
      return { rows: items as unknown as Row[], total };
    },
  });
