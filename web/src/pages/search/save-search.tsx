import { lazy, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Layer } from '../../components/layer.tsx';
import { searchTexts } from '../../texts/search.ts';
import type { SavedSearch } from './saved-searches.ts';
import type { SearchState } from './search-state.ts';

const SaveDialog = lazy(() => import('./save-dialogs.tsx'));
const SearchFeed = lazy(() => import('./search-feed.tsx'));
const words = searchTexts.saved;

/** Saves a search under a name; for a saved one, its feed, and deletes it. */
export function SaveSearch({ state, saved }: { state: SearchState; saved: SavedSearch | undefined }) {
  const { allows } = useSession();
  const [open, setOpen] = useState<'save' | 'feed' | null>(null);
  const close = (): void => setOpen(null);
  if (!allows('write')) return null;
  return (
    <>
      <Button onClick={() => setOpen('save')}>{saved === undefined ? words.save : words.remove}</Button>
      {saved !== undefined && <Button onClick={() => setOpen('feed')}>{searchTexts.feed.open}</Button>}
      <Layer onClose={close}>
        {open === 'save' && <SaveDialog state={state} saved={saved} onClose={close} />}
        {open === 'feed' && saved !== undefined && <SearchFeed search={saved} onClose={close} />}
      </Layer>
    </>
  );
}
