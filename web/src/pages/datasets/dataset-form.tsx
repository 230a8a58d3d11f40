import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { SelectField, TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useForm } from '../../components/use-form.ts';
import { datasetsTexts } from '../../texts/datasets.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { searchTexts } from '../../texts/search.ts';
import { FilterChips } from '../search/filters.tsx';
import { recordOf } from '../search/search-record.ts';
import { readSearchState, type SearchState } from '../search/search-state.ts';
import { datasetsQuery } from './datasets.ts';

const words = datasetsTexts;

/** Freezes what a search finds now. */
export function DatasetForm({ search, onClose }: { search: SearchState; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const form = useForm({
    draft: `dataset ${workspace_id} ${JSON.stringify(search)}`,
    initial: { name: '', state: search },
    send: ({ name, state }, key) => {
      const { of, q, filters } = recordOf(state);
      return dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/datasets', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
          body: { name, of, ...(q !== undefined && { q }), filters },
        }),
      );
    },
    onSent: async () => {
      await client.invalidateQueries(datasetsQuery(workspace_id));
      onClose();
    },
  });
  const { name, state } = form.value;
  const change = (changes: Partial<SearchState>): void =>
    form.change({ state: readSearchState({ ...state, ...changes }) });
  return (
    <FormModal title={words.create} form={form} words={words} onClose={onClose}>
      <NameField
        error={form.error}
        hint={words.nameHint}
        value={name}
        onChange={(text) => form.change({ name: text })}
      />
      <SelectField
        label={words.of}
        value={state.of ?? 'posts'}
        options={[
          ['posts', searchTexts.of.posts],
          ['comments', searchTexts.of.comments],
        ]}
        onChange={(of) => change({ of: of === 'comments' ? of : undefined })}
      />
      <TextField
        label={exportsTexts.q}
        error={form.errorOf('q')}
        value={state.q ?? ''}
        onChange={(q) => change({ q })}
      />
      <FilterChips state={state} onChange={change} />
    </FormModal>
  );
}
