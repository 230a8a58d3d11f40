import { useMutation, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const words = settingsTexts.workspaces;

/** The workspaces of a person who belongs to several, to switch between them. */
export function Workspaces() {
  const memberships = useQuery({
    queryKey: keys.memberships(),
    queryFn: () => dataOf(api.GET('/api/v1/session/workspaces')),
  });
  const move = useMutation({
    mutationFn: (workspace_id: string) =>
      dataOf(api.POST('/api/v1/session/workspace', { body: { workspace_id } })),
    // Everything that the page holds belongs to the other workspace.
    onSuccess: () => location.assign('/'),
  });
  if (memberships.data === undefined || memberships.data.length < 2) return null;
  return (
    <Panel title={words.title}>
      <ul className="divide-y divide-line text-sm">
        {memberships.data.map(({ workspace_id, workspace_name, role, is_current }) => (
          <li key={workspace_id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0 truncate">
              <span className="font-medium">{workspace_name}</span>{' '}
              <span className="text-muted">{settingsTexts.members.roles[role]}</span>
            </span>
            {is_current ? (
              <span className="text-muted">{words.current}</span>
            ) : (
              <Button disabled={move.isPending} onClick={() => move.mutate(workspace_id)}>
                {words.open}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {move.error && <ErrorNote error={move.error} />}
    </Panel>
  );
}
