import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Field, inputClass, Select } from '../../components/controls.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Modal } from '../../components/modal.tsx';
import { fieldError } from '../../components/states.tsx';
import { formatTime } from '../../format.ts';
import { texts } from '../../texts.ts';
import { FilterChips } from '../search/filters.tsx';
import { readSearchState, type SearchState } from '../search/search-state.ts';
import { exportFilters, exportsQuery, FORMATS, type NewExport } from './exports.ts';

const words = texts.exports;
/** Filters that have a field in the form; the others are shown as they are. */
const FIELDS = new Set(['q', 'forum', 'author', 'sentiment', 'from', 'to', 'min_score']);

/** Creates an export of everything that a search finds. */
export function ExportForm({ search, onClose }: { search: SearchState; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [state, setState] = useState(search);
  const [format, setFormat] = useState<NewExport['format']>('csv');
  const [compression, setCompression] = useState('');
  const [since, setSince] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const change = (changes: Partial<SearchState>): void => {
    setState(readSearchState({ ...state, ...changes }));
    setIdempotencyKey(newIdempotencyKey());
  };
  const of = state.of ?? 'posts';
  const former = (useQuery(exportsQuery(workspace_id)).data?.exports ?? []).filter(
    (one) => one.status === 'completed' && one.of === of,
  );
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/exports', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: {
            of,
            format,
            filters: exportFilters(state),
            ...(compression !== '' && { compression: compression as 'gzip' | 'zstd' }),
            ...(since !== '' && { incremental_from: since }),
          },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries(exportsQuery(workspace_id));
      onClose();
    },
  });
  const text = (name: 'q' | 'forum' | 'author', label: string) => (
    <Field label={label} error={fieldError(create.error, `filters.${name}`)}>
      {(control) => (
        <input
          {...control}
          className={inputClass}
          value={state[name] ?? ''}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      )}
    </Field>
  );
  const others = Object.fromEntries(Object.entries(state).filter(([name]) => !FIELDS.has(name)));
  return (
    <Modal title={words.create} wide onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label={words.of}>
            {(control) => (
              <Select
                {...control}
                value={of}
                onChange={({ target }) => {
                  change({ of: target.value === 'comments' ? 'comments' : undefined });
                  setSince('');
                }}
                options={[
                  ['posts', texts.search.of.posts],
                  ['comments', texts.search.of.comments],
                ]}
              />
            )}
          </Field>
          <Field label={words.format}>
            {(control) => (
              <Select
                {...control}
                value={format}
                onChange={({ target }) => setFormat(target.value as NewExport['format'])}
                options={FORMATS.map((one) => [one, words.formats[one]] as const)}
              />
            )}
          </Field>
          <Field label={words.compression} error={fieldError(create.error, 'compression')}>
            {(control) => (
              <Select
                {...control}
                value={compression}
                onChange={({ target }) => setCompression(target.value)}
                options={[
                  ['', words.noCompression],
                  ['gzip', 'gzip'],
                  ['zstd', 'Zstandard'],
                ]}
              />
            )}
          </Field>
        </div>
        <fieldset className="grid gap-4 rounded-xl border border-line p-3 sm:grid-cols-2">
          <legend className="px-1 text-sm font-medium">{words.filters}</legend>
          {text('q', words.q)}
          {text('forum', texts.search.facets.forum)}
          {text('author', texts.search.facets.author)}
          <Field label={texts.search.facets.sentiment}>
            {(control) => (
              <Select
                {...control}
                value={state.sentiment ?? ''}
                onChange={({ target }) => change({ sentiment: target.value })}
                options={[['', words.any], ...Object.entries(texts.search.sentiments)]}
              />
            )}
          </Field>
          {(['from', 'to'] as const).map((name) => (
            <Field key={name} label={texts.search[name]}>
              {(control) => (
                <input
                  {...control}
                  type="date"
                  className={inputClass}
                  value={state[name] ?? ''}
                  onChange={({ target }) => change({ [name]: target.value })}
                />
              )}
            </Field>
          ))}
          <Field label={texts.search.minScore}>
            {(control) => (
              <input
                {...control}
                type="number"
                className={inputClass}
                value={state.min_score ?? ''}
                onChange={({ target }) => change({ min_score: target.value })}
              />
            )}
          </Field>
          <FilterChips state={others} onChange={change} />
        </fieldset>
        {former.length > 0 && (
          <Field
            label={words.since}
            hint={words.sinceHint}
            error={fieldError(create.error, 'incremental_from')}
          >
            {(control) => (
              <Select
                {...control}
                value={since}
                onChange={({ target }) => setSince(target.value)}
                options={[
                  ['', words.everything],
                  ...former.map(
                    ({ id, created_at }) =>
                      [id, words.sinceExport(formatTime(new Date(created_at)))] as const,
                  ),
                ]}
              />
            )}
          </Field>
        )}
        <FormActions
          mutation={create}
          submit={words.submit}
          submitting={words.submitting}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
