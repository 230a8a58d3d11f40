import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { workspaceUrl } from '../../api/client.ts';
import { KINDS } from '../../api/kinds.ts';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { Button, Select } from '../../components/controls.tsx';
import { Layer } from '../../components/layer.tsx';
import { Menu, menuItemClass } from '../../components/menu.tsx';
import { formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import type { AlertBeginning } from '../alerts/alert-draft.ts';
import { FILTER_LABELS } from './filter-names.ts';
import { SaveSearch } from './save-search.tsx';
import type { SavedSearch } from './saved-searches.ts';
import { searchAsQuery } from './search-as-query.ts';
import { filtersOf, type SearchState, sortsOf } from './search-state.ts';

const AlertBuilder = lazy(() => import('../alerts/alert-builder.tsx'));

/** The number of results, their order, and what can be done with the search. */
export function ResultsBar({
  state,
  saved,
  opened,
  total,
  onChange,
}: {
  state: SearchState;
  saved: SavedSearch | undefined;
  /** The saved search from which this one began. */
  opened: SavedSearch | undefined;
  total: number | undefined;
  onChange: (changes: Partial<SearchState>) => void;
}) {
  const session = useSession();
  const [alerting, setAlerting] = useState<SearchState | null>(null);
  const sort = state.sort_by ?? (state.q === undefined ? 'created_utc' : 'relevance');
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-sm text-muted tabular-nums">
        {total === undefined
          ? ''
          : total === 1
            ? searchTexts.oneResult
            : searchTexts.results(formatNumber(total))}
      </p>
      <div className="relative flex flex-wrap items-center gap-2">
        <div className="w-36">
          <Select
            aria-label={searchTexts.sort}
            value={sort}
            onChange={(name) => onChange({ sort_by: name })}
            options={choices<string>(sortsOf(state), searchTexts.sorts)}
          />
        </div>
        <Button
          aria-label={`${searchTexts.orderLabel}: ${searchTexts.order[state.sort_order ?? 'desc']}`}
          title={searchTexts.order[state.sort_order ?? 'desc']}
          onClick={() => onChange({ sort_order: state.sort_order === 'asc' ? undefined : 'asc' })}
        >
          <span aria-hidden="true">{state.sort_order === 'asc' ? '↑' : '↓'}</span>
        </Button>
        <SaveSearch state={state} saved={saved} opened={opened} onAlert={setAlerting} />
        <SaveAs state={state} sort={sort} />
        {session.allows('write') && <Button onClick={() => setAlerting(state)}>{searchTexts.alert}</Button>}
      </div>
      {alerting !== null && (
        <Layer onClose={() => setAlerting(null)}>
          <AlertBuilder alert={null} beginning={alertBeginning(alerting)} onClose={() => setAlerting(null)} />
        </Layer>
      )}
    </div>
  );
}

/** Downloads the first results as a file, or exports or freezes all of them. */
function SaveAs({ state, sort }: { state: SearchState; sort: string }) {
  const { workspace_id: workspaceId, allows } = useSession();
  const mayWrite = allows('write');
  const address = (format: string): string =>
    workspaceUrl(workspaceId, `/exports/${state.of ?? 'posts'}`, {
      ...filtersOf(state),
      sort_by: sort,
      sort_order: state.sort_order ?? 'desc',
      format,
    });
  return (
    <Menu label={searchTexts.save}>
      {KINDS.formats.map(({ name: format, title }) => (
        <a key={format} href={address(format)} download className={menuItemClass()}>
          {title}
        </a>
      ))}
      <p className="px-3 py-1 text-[13px] text-muted">{searchTexts.saveLimit}</p>
      {mayWrite && (
        <>
          <Link to="/exports" search={{ ...state, create: 'yes' }} className={menuItemClass()}>
            {searchTexts.saveAll}
          </Link>
          <Link to="/exports" search={{ ...state, create: 'dataset' }} className={menuItemClass()}>
            {searchTexts.freeze}
          </Link>
        </>
      )}
    </Menu>
  );
}

/** An alert for what a search finds, with all its filters. */
function alertBeginning(state: SearchState): AlertBeginning {
  const { query, left } = searchAsQuery(state);
  return {
    query,
    of: state.of ?? 'posts',
    left: left.map((name) => FILTER_LABELS[name] ?? searchTexts.otherFilter),
  };
}
