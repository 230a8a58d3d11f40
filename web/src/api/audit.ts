import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditState } from '../components/audit-state.ts';
import { startOfDay } from '../format.ts';
import { api, dataOf, type Schemas } from './client.ts';
import { keys } from './keys.ts';

export type AuditEntry = Schemas['ListedAuditEntryDto'];

const PAGE = 50;

/** The parameters of the API for what a page shows. */
const parametersOf = ({ workspace: _workspace, from, to, ...same }: AuditState, cursor: string) => ({
  limit: PAGE,
  ...same,
  ...(from !== undefined && { from: startOfDay(from, 0) }),
  ...(to !== undefined && { to: startOfDay(to, 1) }),
  ...(cursor !== '' && { cursor }),
});

/** The pages of a log, newest first. */
const logOf = (
  queryKey: readonly unknown[],
  read: (cursor: string, signal: AbortSignal) => Promise<Schemas['AuditPageDto']>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
  });

/** The audit log of operators. */
export const auditQuery = (state: AuditState) =>
  logOf(keys.adminAudit(state), (cursor, signal) => {
    const { workspace } = state;
    const query = {
      ...parametersOf(state, cursor),
      ...(workspace !== undefined && { workspace_id: workspace }),
    };
    return dataOf(api.GET('/api/v1/admin/audit', { params: { query }, signal }));
  });

/** The history of a workspace. */
export const historyQuery = (workspace_id: string, state: AuditState) =>
  logOf(keys.history(workspace_id, state), (cursor, signal) => {
    const params = { path: { workspace_id }, query: parametersOf(state, cursor) };
    return dataOf(api.GET('/api/v1/workspaces/{workspace_id}/audit', { params, signal }));
  });

/** The kinds of records whose pages show who changed them, with the operation that does. */
const UPDATES = { alerts: 'updateAlert', schedules: 'updateSchedule', webhooks: 'updateWebhook' } as const;
export type ChangedKind = keyof typeof UPDATES;

/** The last change of a record; null for none. */
export const lastChangeQuery = (workspace_id: string, kind: ChangedKind, id: string) =>
  queryOptions({
    queryKey: keys.lastChange(workspace_id, kind, id),
    queryFn: async ({ signal }): Promise<AuditEntry | null> => {
      const params = { path: { workspace_id }, query: { q: id, action: UPDATES[kind], limit: 1 } };
      const { entries } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/audit', { params, signal }),
      );
      return entries[0] ?? null;
    },
  });
