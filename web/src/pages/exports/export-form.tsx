import { KINDS } from '../../api/kinds.ts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { SelectField, TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { fieldError } from '../../components/states.tsx';
import { formatTime } from '../../format.ts';
import { texts } from '../../texts.ts';
import { FilterChips } from '../search/filters.tsx';
import { RangeFields } from '../search/range-fields.tsx';
import { readSearchState, type SearchState } from '../search/search-state.ts';
import { exportFilters, exportsQuery, type NewExport } from './exports.ts';

const words = texts.exports;

/** Creates an export of everything that a search finds. */
export function ExportForm({ search, onClose }: { search: SearchState; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [state, setState] = useState(search);
  const [format, setFormat] = useState<NewExport['format']>('csv');
  const [compression, setCompression] = useState<'' | 'gzip' | 'zstd'>('');
  const [since, setSince] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const change = (changes: Partial<SearchState>): void => {
    setState(readSearchState({ ...state, ...changes }));
    setIdempotencyKey(newIdempotencyKey());
  };
  const of = state.of ?? 'posts';
  const former = (useInfiniteQuery(exportsQuery(workspace_id)).data?.pages ?? [])
    .flatMap((page) => page.exports)
    .filter((one) => one.status === 'completed' && one.of === of);
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/exports', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: {
            of,
            format,
            filters: exportFilters(state),
            ...(compression !== '' && { compression }),
            ...(since !== '' && { incremental_from: since }),
          },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries(exportsQuery(workspace_id));
      onClose();
    },
  });
  const errorOf = (name: string): string | undefined => fieldError(create.error, `filters.${name}`);
  const others = {
    post_type: state.post_type,
    flair: state.flair,
    keyword: state.keyword,
    post_id: state.post_id,
  };
  return (
    <FormModal
      title={words.create}
      wide
      mutation={create}
      submit={words.submit}
      submitting={words.submitting}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label={words.of}
          value={of}
          options={[
            ['posts', texts.search.of.posts],
            ['comments', texts.search.of.comments],
          ]}
          onChange={(chosen) => {
            change({ of: chosen === 'comments' ? chosen : undefined });
            setSince('');
          }}
        />
        <SelectField
          label={words.format}
          value={format}
          options={KINDS.formats.map(({ name, title }) => [name, title] as const)}
          onChange={setFormat}
        />
        <SelectField
          label={words.compression}
          error={fieldError(create.error, 'compression')}
          value={compression}
          options={[
            ['', words.usualCompression(format)],
            ...(['gzip', 'zstd'] as const).map((one) => [one, words.compressions[one]] as const),
          ]}
          onChange={setCompression}
        />
      </div>
      <fieldset className="rounded-xl border border-line p-3">
        <legend className="px-1 text-sm font-medium">{words.filters}</legend>
        <div className="mb-4 grid gap-4 sm:grid-cols-2">
          {(['q', 'forum', 'author'] as const).map((name) => (
            <TextField
              key={name}
              label={name === 'q' ? words.q : texts.search.facets[name]}
              error={errorOf(name)}
              value={state[name] ?? ''}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
          <SelectField
            label={texts.search.facets.sentiment}
            value={state.sentiment ?? ''}
            options={[['', texts.search.any], ...Object.entries(texts.search.sentiments)]}
            onChange={(sentiment) => change({ sentiment })}
          />
          <RangeFields state={state} errorOf={errorOf} onChange={change} />
        </div>
        <FilterChips state={others} onChange={change} />
      </fieldset>
      {former.length > 0 && (
        <SelectField
          label={words.since}
          hint={words.sinceHint}
          error={fieldError(create.error, 'incremental_from')}
          value={since}
          options={[
            ['', words.everything],
            ...former.map(
              ({ id, created_at }) => [id, words.sinceExport(formatTime(new Date(created_at)))] as const,
            ),
          ]}
          onChange={setSince}
        />
      )}
    </FormModal>
  );
}
