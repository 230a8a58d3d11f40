import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';
import { keys } from './keys.ts';
import { isPerson, useSession } from './session.ts';

/** The notification settings of the person who has signed in, and how to change them; nothing is read for a key. */
export function useNotifications() {
  const session = useSession();
  const client = useQueryClient();
  const queryKey = keys.notifications(session.workspace_id);
  const params = { path: { workspace_id: session.workspace_id } };
  const settings = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/api/v1/workspaces/{workspace_id}/me/notifications', { params })),
    enabled: isPerson(session),
  });
  const change = useMutation({
    mutationFn: (body: Schemas['UpdateNotificationSettingsDto']) =>
      dataOf(api.PATCH('/api/v1/workspaces/{workspace_id}/me/notifications', { params, body })),
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
  });
  return { settings, change };
}
