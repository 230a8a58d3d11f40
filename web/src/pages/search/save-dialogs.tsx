import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { ListenField } from '../../components/listen-field.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useForm } from '../../components/use-form.ts';
import { searchTexts } from '../../texts/search.ts';
import { partsOf } from '../alerts/alert-draft.ts';
import { type SavedSearch, updateSearch } from './saved-searches.ts';
import { recordOf } from './search-record.ts';
import type { SearchState } from './search-state.ts';

const words = searchTexts.saved;

type Given = { onClose: () => void } & (
  { action: 'save'; state: SearchState } | { action: 'edit' | 'delete'; search: SavedSearch }
);

/** Asks for the name of a search to save; for the settings of a saved one, or whether to delete it. */
export default function SaveDialog(given: Given) {
  if (given.action === 'save') return <NameSearch {...given} />;
  return given.action === 'edit' ? <EditSearch {...given} /> : <DeleteSearch {...given} />;
}

function NameSearch({ state, onClose }: { state: SearchState; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const form = useForm({
    draft: `search ${workspace_id} ${JSON.stringify(state)}`,
    initial: { name: state.q ?? '' },
    send: ({ name }) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/searches', {
          params: { path: { workspace_id } },
          body: { name, ...recordOf(state) },
        }),
      ),
    onSent: async () => {
      await client.invalidateQueries({ queryKey: keys.savedSearches(workspace_id) });
      onClose();
    },
  });
  return (
    <FormModal title={words.title} form={form} words={words} onClose={onClose}>
      <NameField
        hint={words.hint}
        error={form.error}
        value={form.value.name}
        onChange={(name) => form.change({ name })}
      />
    </FormModal>
  );
}

/** The name of a saved search, and the sources that the service reads for it. */
function EditSearch({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const form = useForm({
    initial: { name: search.name, listenText: search.listen.join(', ') },
    send: ({ name, listenText }) =>
      updateSearch(workspace_id, search.id, { name, listen: partsOf(listenText, /,/) }),
    onSent: async () => {
      await client.invalidateQueries({ queryKey: keys.savedSearches(workspace_id) });
      onClose();
    },
  });
  return (
    <FormModal title={words.editTitle(search.name)} form={form} words={words} onClose={onClose}>
      <NameField error={form.error} value={form.value.name} onChange={(name) => form.change({ name })} />
      <ListenField
        value={form.value.listenText}
        error={form.errorOf('listen')}
        onChange={(listenText) => form.change({ listenText })}
      />
    </FormModal>
  );
}

function DeleteSearch({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return (
    <Confirm
      title={words.deleteTitle(search.name)}
      text={words.deleteText}
      action={words.remove}
      run={async () => {
        await dataOf(
          api.DELETE('/api/v1/workspaces/{workspace_id}/searches/{search_id}', {
            params: { path: { workspace_id, search_id: search.id } },
          }),
        );
        await client.invalidateQueries({ queryKey: keys.savedSearches(workspace_id) });
      }}
      onClose={onClose}
    />
  );
}
