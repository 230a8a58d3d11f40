import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { filtersOf, type SearchState } from '../search/search-state.ts';

export type Export = Schemas['ExportDto'];
export type NewExport = Schemas['CreateExportDto'];
export const FORMATS: readonly Export['format'][] = ['csv', 'json', 'ndjson', 'parquet'];

/** How often the list is read while an export of it is unfinished. */
const REFRESH_MS = 1_000;
const PAGE = 50;

export const isUnfinished = ({ status }: Pick<Export, 'status'>): boolean =>
  status === 'pending' || status === 'running';

/** The kept exports, newest first. */
export const exportsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['exports', workspace_id],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/exports', {
          params: { path: { workspace_id }, query: { limit: PAGE } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.exports.some(isUnfinished) ? REFRESH_MS : false),
  });

/** The filters of a search as an export takes them: numbers as numbers, without what only orders. */
export function exportFilters(state: SearchState): NonNullable<NewExport['filters']> {
  const { min_score, ...filters } = filtersOf(state);
  return {
    ...filters,
    ...(min_score !== undefined && { min_score: Number(min_score) }),
  } as NonNullable<NewExport['filters']>;
}
