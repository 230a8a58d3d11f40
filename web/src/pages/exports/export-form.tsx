import { anyOr, choices } from '../../choices.ts';
import { KINDS } from '../../api/kinds.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { SelectField, TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useForm } from '../../components/use-form.ts';
import { formatNumber, formatSecond } from '../../format.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { searchTexts } from '../../texts/search.ts';
import { type Chosen, valuesOf } from '../search/chosen.ts';
import { FilterChips } from '../search/filters.tsx';
import { RangeFields } from '../search/range-fields.tsx';
import { apiFilters, isSameSearch, searchOf } from '../search/search-record.ts';
import { type Facet, FACETS, readSearchState, type SearchState } from '../search/search-state.ts';
import { ColumnChoice, columnsOf } from './column-choice.tsx';
import { EstimateLine } from './estimate-line.tsx';
import { createExport, firstDraft } from './export-draft.ts';
import { type Export, exportsQuery } from './exports.ts';
import { RepeatFields } from './repeat-fields.tsx';

const words = exportsTexts;

function useExportForm(search: SearchState, onClose: () => void) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return useForm({
    draft: `export ${workspace_id} ${JSON.stringify(search)}`,
    initial: () => firstDraft(search),
    send: (draft, key) => createExport(workspace_id, draft, key),
    onSent: async () => {
      await Promise.all([
        client.invalidateQueries(exportsQuery(workspace_id)),
        client.invalidateQueries({ queryKey: keys.recurringExports(workspace_id) }),
      ]);
      onClose();
    },
  });
}

/** Creates an export of everything that a search finds. */
export function ExportForm({ search, onClose }: { search: SearchState; onClose: () => void }) {
  const form = useExportForm(search, onClose);
  const { state, format, since, name, columns, repeat, onlyChanges } = form.value;
  const of = state.of ?? 'posts';
  const change = (changes: Partial<SearchState>): void =>
    form.change({
      state: readSearchState({ ...state, ...changes }),
      since: '',
      ...('of' in changes && { columns: null }),
    });
  const former = useFormerExports(state);
  return (
    <FormModal
      title={words.create}
      wide
      form={form}
      words={words}
      isReady={columns?.length !== 0}
      onClose={onClose}
    >
      <NameField
        isRequired={repeat !== ''}
        maxLength={200}
        hint={repeat === '' ? words.nameHint : words.repeat.nameHint}
        error={form.error}
        value={name}
        onChange={(text) => form.change({ name: text })}
      />
      <FileChoices
        form={form}
        of={of}
        onKind={(kind) => change({ of: kind === 'comments' ? kind : undefined })}
      />
      <ExportFilters state={state} errorOf={(name) => form.errorOf(`filters.${name}`)} onChange={change} />
      <RepeatFields form={form} />
      {repeat === '' && former.length > 0 && (
        <SelectField
          label={words.since}
          hint={words.sinceHint}
          error={form.errorOf('incremental_from')}
          value={since}
          options={[['', words.everything], ...former.map((one) => [one.id, sinceText(one)] as const)]}
          onChange={(id) => form.change({ since: id })}
        />
      )}
      <ColumnChoice
        of={of}
        chosen={columns}
        error={form.errorOf('columns')}
        onChange={(chosen) => form.change({ columns: chosen })}
      />
      <EstimateLine
        state={state}
        columns={columns ?? columnsOf(of)}
        format={format}
        isIncremental={since !== '' || (repeat !== '' && onlyChanges)}
      />
    </FormModal>
  );
}

/** What to export, and the format and compression of the files. */
function FileChoices({
  form,
  of,
  onKind,
}: {
  form: ReturnType<typeof useExportForm>;
  of: 'posts' | 'comments';
  onKind: (of: 'posts' | 'comments') => void;
}) {
  const { format, compression } = form.value;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label={words.of}
        value={of}
        options={choices(KINDS.lists.subjects, searchTexts.of)}
        onChange={onKind}
      />
      <SelectField
        label={words.format}
        value={format}
        options={KINDS.formats.map(({ name, title }) => [name, title] as const)}
        onChange={(chosen) => form.change({ format: chosen })}
      />
      <SelectField
        label={words.compression}
        error={form.errorOf('compression')}
        value={compression}
        options={anyOr(words.usualCompression(format), KINDS.lists.compressions, words.compressions)}
        onChange={(chosen) => form.change({ compression: chosen })}
      />
    </div>
  );
}

/** The completed exports of the same search, after which another can continue. */
function useFormerExports(state: SearchState): Export[] {
  const { workspace_id } = useSession();
  const of = state.of ?? 'posts';
  const unsorted = searchOf({ of, filters: apiFilters(state) });
  return (useInfiniteQuery(exportsQuery(workspace_id)).data?.pages ?? [])
    .flatMap((page) => page.exports)
    .filter((one) => one.status === 'completed' && one.of === of && isSameSearch(searchOf(one), unsorted));
}

function ExportFilters({
  state,
  errorOf,
  onChange,
}: {
  state: SearchState;
  errorOf: (name: string) => string | undefined;
  onChange: (changes: Partial<SearchState>) => void;
}) {
  // What has no field of its own here is shown as it is chosen.
  const hasField = (name: Facet): name is 'forum' | 'author' | 'sentiment' =>
    (name === 'forum' || name === 'author' || name === 'sentiment') && isPlain(state[name]);
  const others: SearchState = {
    ...(state.post_id !== undefined && { post_id: state.post_id }),
    ...Object.fromEntries(FACETS.filter((name) => !hasField(name)).map((name) => [name, state[name]])),
  };
  return (
    <fieldset className="rounded-xl border border-line p-3">
      <legend className="px-1 text-sm font-medium">{words.filters}</legend>
      <div className="mb-4 grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.q}
          error={errorOf('q')}
          value={state.q ?? ''}
          onChange={(q) => onChange({ q })}
        />
        {(['forum', 'author'] as const).filter(hasField).map((name) => (
          <TextField
            key={name}
            label={searchTexts.facets[name]}
            error={errorOf(name)}
            value={valuesOf(state[name]).join()}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
        {hasField('sentiment') && (
          <SelectField
            label={searchTexts.facets.sentiment}
            value={valuesOf(state.sentiment).join()}
            options={[['', searchTexts.any], ...Object.entries(searchTexts.sentiments)]}
            onChange={(sentiment) => onChange({ sentiment })}
          />
        )}
        <RangeFields state={state} errorOf={errorOf} onChange={onChange} />
      </div>
      <FilterChips state={others} onChange={onChange} />
    </fieldset>
  );
}

/** Whether a choice can be edited as a text: at most one value, which is not excluded. */
const isPlain = (chosen: Chosen | undefined): boolean =>
  valuesOf(chosen).length < 2 && !valuesOf(chosen).some((value) => value.startsWith('!'));

/** An earlier export as a choice: its name, time to the second, format and size tell it from others. */
const sinceText = ({ name, created_at, format, rows }: Export): string =>
  words.sinceExport(
    [name, formatSecond(new Date(created_at))].filter(Boolean).join(', '),
    words.rows(formatNumber(rows)),
    KINDS.formats.find(({ name }) => name === format)?.title ?? format,
  );
