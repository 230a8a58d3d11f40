import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { buttonClass } from '../components/controls.tsx';
import { formatCompact } from '../format.ts';
import { type SavedSearch, savedSearchesQuery, useFresh, useTotals } from '../pages/search/saved-searches.ts';
import { searchOf } from '../pages/search/search-record.ts';
import { commonTexts } from '../texts/common.ts';
import { searchTexts } from '../texts/search.ts';

const words = searchTexts.saved;

/**
 * The saved searches, each with how many results it has more than when it was last open in this browser; without any,
 * an example to begin with.
 */
export function SavedSearches() {
  const { workspace_id, allows } = useSession();
  const { data: searches } = useQuery(savedSearchesQuery(workspace_id));
  const totals = useTotals(workspace_id, searches ?? []);
  if (searches === undefined || (searches.length === 0 && !allows('write'))) return null;
  return (
    <section aria-label={words.list} className="mb-3">
      <p className="px-2.5 pt-1 pb-1 text-[11px] font-semibold tracking-wide text-muted uppercase">
        {words.list}
      </p>
      {searches.length === 0 ? (
        <div className="px-2.5 text-[13px] text-muted">
          <p className="mb-1.5">
            {words.none} {commonTexts.example} <q className="text-ink">{words.example}</q>
          </p>
          <Link to="/search" search={{ q: words.example }} className={buttonClass()}>
            {words.begin}
          </Link>
        </div>
      ) : (
        <ul aria-label={words.list} className="max-h-60 space-y-px overflow-y-auto">
          {searches.map((search) => (
            <li key={search.id}>
              <SavedSearchLink search={search} total={totals[search.id]} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SavedSearchLink({ search, total }: { search: SavedSearch; total: number | undefined }) {
  const { workspace_id } = useSession();
  const fresh = useFresh(workspace_id, search.id, total);
  return (
    <Link
      to="/search"
      search={searchOf(search)}
      className="flex items-center gap-2 rounded-lg px-2.5 py-1.5 text-[13px] text-ink no-underline hover:bg-raised"
      activeProps={{ className: 'bg-accent-soft font-semibold' }}
      activeOptions={{ includeSearch: true, exact: true }}
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
