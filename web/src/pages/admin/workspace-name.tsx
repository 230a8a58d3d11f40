import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaceQuery } from './admin-queries.ts';

const FRESH_MS = 300_000;
const SHOWN_ID = 11;

/** The name of a workspace; the beginning of its id until the name is known, and once it is deleted. */
export function useWorkspaceName(id: string): string {
  const { data } = useQuery({
    ...workspaceQuery(id),
    enabled: id !== '',
    staleTime: FRESH_MS,
    refetchInterval: false,
    retry: false,
  });
  return data?.name ?? `${id.slice(0, SHOWN_ID)}…`;
}

/** The name of a workspace, which leads to its page. */
export function WorkspaceLink({ id }: { id: string }) {
  const name = useWorkspaceName(id);
  return (
    <Link
      to="/admin/workspaces/$workspaceId"
      params={{ workspaceId: id }}
      title={id}
      className="inline-block max-w-56 truncate align-bottom text-accent"
    >
      {name}
    </Link>
  );
}
