import { api, dataOf } from '../../api/client.ts';
import type { Plan } from '../../components/plan-fields.tsx';
import { ownTimeZone } from '../../format.ts';
import { apiFilters } from '../search/search-record.ts';
import type { SearchState } from '../search/search-state.ts';
import type { NewExport } from './exports.ts';

/** An export as edited in its form. */
export interface ExportDraft {
  state: SearchState;
  format: NewExport['format'];
  /** Empty for the usual one. */
  compression: '' | NonNullable<NewExport['compression']>;
  name: string;
  /** Null for all. */
  columns: readonly string[] | null;
  /** The earlier export of which it leaves out the rows; empty for none. */
  since: string;
  /** Empty for once. */
  repeat: '' | Plan['every'];
  times: Omit<Plan, 'every'>;
  onlyChanges: boolean;
  /** Empty for no destination. */
  url: string;
  secret: string;
}

/** The draft of an export of what a search finds. */
export const firstDraft = (state: SearchState): ExportDraft => ({
  state,
  format: 'csv',
  compression: '',
  name: '',
  columns: null,
  since: '',
  repeat: '',
  times: { weekday: 'monday', at: '08:00', timezone: ownTimeZone },
  onlyChanges: false,
  url: '',
  secret: '',
});

/** What a single export and a recurring one have in common, in the API's format. */
const choicesOf = ({ state, format, columns, compression, url, secret }: ExportDraft) =>
  ({
    of: state.of ?? 'posts',
    format,
    filters: apiFilters(state),
    ...(columns !== null && { columns: [...columns] }),
    ...(compression !== '' && { compression }),
    ...(url !== '' && { destination: { url, secret } }),
  }) satisfies NewExport;

/** Creates the export, or the recurring one. */
export function createExport(workspace_id: string, draft: ExportDraft, key: string): Promise<unknown> {
  const params = { path: { workspace_id }, header: { 'Idempotency-Key': key } };
  const { name, since, repeat: every, times, onlyChanges } = draft;
  if (every === '')
    return dataOf(
      api.POST('/api/v1/workspaces/{workspace_id}/exports', {
        params,
        body: {
          ...choicesOf(draft),
          ...(name !== '' && { name }),
          ...(since !== '' && { incremental_from: since }),
        },
      }),
    );
  return dataOf(
    api.POST('/api/v1/workspaces/{workspace_id}/recurring-exports', {
      params,
      body: { ...choicesOf(draft), name, every, ...times, only_changes: onlyChanges },
    }),
  );
}
