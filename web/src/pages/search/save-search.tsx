import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Layer } from '../../components/layer.tsx';
import { Menu, menuItemClass } from '../../components/menu.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { searchTexts } from '../../texts/search.ts';
import { type SavedSearch, updateSearch } from './saved-searches.ts';
import { changesTo, searchOf } from './search-record.ts';
import type { SearchState } from './search-state.ts';

const SaveDialog = lazy(() => import('./save-dialogs.tsx'));
const SearchFeed = lazy(() => import('./search-feed.tsx'));
const words = searchTexts.saved;

/** Saves a search under a name; where it began as a saved one, the menu of that one. */
export function SaveSearch({
  state,
  saved,
  opened,
  onAlert,
}: {
  state: SearchState;
  /** The saved search that finds the same. */
  saved: SavedSearch | undefined;
  opened: SavedSearch | undefined;
  onAlert: (state: SearchState) => void;
}) {
  const { allows } = useSession();
  const [isSaving, setSaving] = useState(false);
  const close = (): void => setSaving(false);
  if (!allows('write')) return null;
  return (
    <>
      {saved === undefined && <Button onClick={() => setSaving(true)}>{words.save}</Button>}
      {opened !== undefined && (
        <SavedMenu
          key={opened.id}
          search={opened}
          changed={saved === undefined ? state : undefined}
          onAlert={onAlert}
        />
      )}
      <Layer onClose={close}>{isSaving && <SaveDialog action="save" state={state} onClose={close} />}</Layer>
    </>
  );
}

/** What can be done with a saved search; `changed` is the search on the page if it differs. */
function SavedMenu({
  search,
  changed,
  onAlert,
}: {
  search: SavedSearch;
  changed: SearchState | undefined;
  onAlert: (state: SearchState) => void;
}) {
  const [open, setOpen] = useState<'edit' | 'feed' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const update = useUpdate(search);
  const item = (text: string, run: () => void, look: 'quiet' | 'quietDanger' = 'quiet') => (
    <button type="button" className={menuItemClass(look)} onClick={run}>
      {text}
    </button>
  );
  return (
    <>
      <Menu label={words.menu} name={words.menuOf(search.name)}>
        {changed !== undefined &&
          (changed.of ?? 'posts') === search.of &&
          item(words.update, () => update.mutate(changed))}
        {item(words.edit, () => setOpen('edit'))}
        {item(words.alert, () => onAlert(searchOf(search)))}
        {item(searchTexts.feed.open, () => setOpen('feed'))}
        <Link to="/exports" search={{ ...searchOf(search), create: 'yes' }} className={menuItemClass()}>
          {searchTexts.saveAll}
        </Link>
        {item(words.remove, () => setOpen('delete'), 'quietDanger')}
      </Menu>
      <span role="status" className="text-[13px] text-good empty:sr-only">
        {update.isSuccess && changed === undefined && words.updated}
      </span>
      {update.error && <ErrorNote error={update.error} />}
      <Layer onClose={close}>
        {open === 'feed' && <SearchFeed search={search} onClose={close} />}
        {(open === 'edit' || open === 'delete') && (
          <SaveDialog action={open} search={search} onClose={close} />
        )}
      </Layer>
    </>
  );
}

/** Makes a saved search find what the page shows. */
function useUpdate(search: SavedSearch) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (state: SearchState) => updateSearch(workspace_id, search.id, changesTo(search, state)),
    onSuccess: async (updated) => {
      await client.invalidateQueries({ queryKey: keys.savedSearches(workspace_id) });
      await navigate({ to: '/search', search: searchOf(updated), replace: true, resetScroll: false });
    },
  });
}
