import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useForm } from '../../components/use-form.ts';
import { searchTexts } from '../../texts/search.ts';
import type { SavedSearch } from './saved-searches.ts';
import { recordOf } from './search-record.ts';
import type { SearchState } from './search-state.ts';

const words = searchTexts.saved;

/** Asks for the name of a search to save, or whether to delete the saved one. */
export default function SaveDialog({
  state,
  saved,
  onClose,
}: {
  state: SearchState;
  saved: SavedSearch | undefined;
  onClose: () => void;
}) {
  return saved === undefined ? (
    <NameSearch state={state} onClose={onClose} />
  ) : (
    <DeleteSearch search={saved} onClose={onClose} />
  );
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
