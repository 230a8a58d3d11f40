import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type Export = Schemas['ExportDto'];
export type NewExport = Schemas['CreateExportDto'];

/** How often the list is reloaded while it has an unfinished export. */
const REFRESH_MS = 1_000;
const PAGE = 50;

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
