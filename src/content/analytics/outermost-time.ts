import { selectList } from '../../database/entity-columns.js';
import type { SearchRequest } from '../../search/search-request.js';
import type { SearchService } from '../../search/search.service.js';
import type { SortOrder } from '../../search/searched-table.js';

/** Time of the first row that a search finds in the order of times; null when there is none. */
export async function outermostTime(
  searches: Pick<SearchService, 'page'>,
  { table, workspaceId, filter }: SearchRequest,
  order: SortOrder,
): Promise<Date | null> {
  const { rows } = await searches.page<{ createdUtc: Date }>({
    ...{ table, workspaceId, filter },
    columns: selectList(['createdUtc']),
    order: { sort_by: 'created_utc', sort_order: order },
    after: null,
    limit: 1,
  });
  return rows[0]?.createdUtc ?? null;
}
