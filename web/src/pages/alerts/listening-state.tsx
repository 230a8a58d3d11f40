import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';

const words = alertsTexts.listening;
const REFRESH_MS = 5_000;

/** How far each source has been read for an alert that listens, and what was not read. */
export function ListeningState({ alertId }: { alertId: string }) {
  const { workspace_id } = useSession();
  const { data } = useQuery({
    queryKey: keys.listening(workspace_id, alertId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/listening', {
          params: { path: { workspace_id, alert_id: alertId } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined || data.sources.length === 0) return null;
  return (
    <ul className="space-y-1 text-sm text-dim">
      {data.sources.map((source) => (
        <li key={source.source}>{textOf(source)}</li>
      ))}
    </ul>
  );
}

function textOf({ source, state, read, matched, gaps }: Schemas['ListenedSourceDto']): string {
  const counts = words.counts(formatNumber(read), formatNumber(matched));
  const missed = gaps.length === 0 ? '' : ` ${words.gaps(gaps.length)}`;
  return `${words.nameOf(source)}: ${words.states[state]}. ${counts}${missed}`;
}
