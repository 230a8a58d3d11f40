import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { KINDS } from '../../api/kinds.ts';
import { dayOf } from '../../format.ts';
import { HAS_EMAIL } from '../../synthetic.ts';
import { readSearchState, type SearchState } from '../search/search-state.ts';

export type Alert = Schemas['AlertDto'];

export const alertsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.alerts(workspace_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts', {
          params: { path: { workspace_id }, query: { view: 'full' } },
        }),
      ),
  });

export const alertQuery = (workspace_id: string, alert_id: string) =>
  queryOptions({
    queryKey: keys.alert(workspace_id, alert_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
          params: { path: { workspace_id, alert_id }, query: { view: 'full' } },
        }),
      ),
  });

/**
 * Whether an alert without an address of its own is shown in Mentions only, because the service sends no email; a
 * report then on its page only.
 */
export const isOnlyInMentions = ({
  channel,
  channel_config: { to },
}: Pick<Alert, 'channel' | 'channel_config'>): boolean =>
  channel === 'email' && !HAS_EMAIL && !(Array.isArray(to) ? to.length > 0 : to);

/** Whether an alert has an address to which the service cannot send. */
export const cannotSend = (alert: Alert): boolean =>
  alert.channel === 'email' && !HAS_EMAIL && !isOnlyInMentions(alert);

/** The tables that an alert looks at. */
export const tablesOf = ({ of = 'posts' }: Alert): readonly ('posts' | 'comments')[] =>
  of === 'all' ? KINDS.lists.subjects : [of];

/** The search for what an alert finds among what is stored, by default in its first table. */
export function searchOfAlert(alert: Alert, of = tablesOf(alert)[0]): SearchState {
  const { query, keywords, forums } = alert;
  const parts = [
    ...(query ? [`(${query})`] : []),
    ...keywords.map((keyword) => `"${keyword.replaceAll('"', ' ')}"`),
  ];
  return readSearchState({
    q: parts.join(' OR '),
    ...(of === 'comments' && { of }),
    ...(forums.length > 0 && { forum: forums }),
  });
}

const RECENT_MS = 90 * 86_400_000;

/** The same of the last 90 days. */
export const recentSearchOf = (alert: Alert, of = tablesOf(alert)[0]): SearchState => ({
  ...searchOfAlert(alert, of),
  from: dayOf(new Date(Date.now() - RECENT_MS)),
});

/** Pauses or resumes an alert. */
export const setAlertActive = (workspace_id: string, alert_id: string, is_active: boolean) =>
  dataOf(
    api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
      params: { path: { workspace_id, alert_id } },
      body: { is_active },
    }),
  );

/** Deletes an alert, even while the page is being left. */
export const deleteAlert = (workspace_id: string, alert_id: string) =>
  dataOf(
    api.DELETE('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
      params: { path: { workspace_id, alert_id } },
      keepalive: true,
    }),
  );
