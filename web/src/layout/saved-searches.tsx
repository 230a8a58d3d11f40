import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { formatCompact } from '../format.ts';
import { type SavedSearch, savedSearchesQuery, useFresh, useTotals } from '../pages/search/saved-searches.ts';
import { searchOf } from '../pages/search/search-record.ts';
import { texts } from '../texts.ts';

const words = texts.search.saved;

/** The saved searches, each with how many results it has more than when it was last open in this browser. */
export function SavedSearches() {
  const { workspace_id } = useSession();
  const { data: searches = [] } = useQuery(savedSearchesQuery(workspace_id));
  const totals = useTotals(workspace_id, searches);
  if (searches.length === 0) return null;
  return (
    <ul aria-label={words.list} className="mb-3 max-h-60 space-y-px overflow-y-auto">
      {searches.map((search) => (
        <li key={search.id}>
          <SavedSearchLink search={search} total={totals[search.id]} />
        </li>
      ))}
    </ul>
  );
}

function SavedSearchLink({ search, total }: { search: SavedSearch; total: number | undefined }) {
  const { workspace_id } = useSession();
  const fresh = useFresh(workspace_id, search.id, total);
  return (
    <Link
      to="/search"
      search={searchOf(search)}
      className="flex items-center gap-2 rounded-lg py-1 pr-2.5 pl-9 text-[13px] text-ink no-underline hover:bg-raised"
      activeProps={{ className: 'bg-accent-soft font-semibold' }}
      activeOptions={{ includeSearch: true }}
    >
      <span className="min-w-0 flex-1 truncate" title={search.name}>
        {search.name}
      </span>
      {fresh > 0 && (
        <span className="shrink-0 rounded-full bg-fresh-soft px-1.5 text-[11px] font-semibold text-fresh tabular-nums">
          {words.fresh(formatCompact(fresh))}
        </span>
      )}
    </Link>
  );
}
