import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { formatCompact } from '../format.ts';
import { savedSearchesQuery, seenTotals, useTotals } from '../pages/search/saved-searches.ts';
import { searchOf } from '../pages/search/search-record.ts';
import { texts } from '../texts.ts';

const words = texts.search.saved;

/** The saved searches, each with how many results it has more than when it was last open in this browser. */
export function SavedSearches() {
  const { workspace_id } = useSession();
  const { data: searches = [] } = useQuery(savedSearchesQuery(workspace_id));
  const totals = useTotals(workspace_id, searches);
  if (searches.length === 0) return null;
  const seen = seenTotals();
  return (
    <ul aria-label={words.list} className="mb-3 max-h-60 space-y-px overflow-y-auto">
      {searches.map((search) => {
        const total = totals[search.id];
        const fresh = total === undefined ? 0 : total - (seen[search.id] ?? total);
        return (
          <li key={search.id}>
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
          </li>
        );
      })}
    </ul>
  );
}
