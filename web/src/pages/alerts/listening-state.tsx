import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { sourceName } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatExactTime, formatNumber } from '../../format.ts';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import type { Alert } from './alerts.ts';

const words = alertsTexts.listening;
const REFRESH_MS = 5_000;
const SHOWN_GAPS = 3;

type Listened = Schemas['ListenedSourceDto'];

const TONES: Record<Listened['state'], Tone> = {
  live: 'good',
  behind: 'accent',
  resting: 'muted',
  refused: 'bad',
};

function useListening(alertId: string, enabled = true) {
  const { workspace_id } = useSession();
  return useQuery({
    queryKey: keys.listening(workspace_id, alertId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/listening', {
          params: { path: { workspace_id, alert_id: alertId } },
        }),
      ),
    refetchInterval: REFRESH_MS,
    enabled,
  });
}

/** How far each source has been read for an alert that listens, and what was not read, in a line each. */
export function ListeningState({ alertId }: { alertId: string }) {
  const { data } = useListening(alertId);
  if (data === undefined || data.sources.length === 0) return null;
  return (
    <ul className="space-y-1 text-sm text-dim">
      {data.sources.map((source) => (
        <li key={source.source}>{textOf(source)}</li>
      ))}
    </ul>
  );
}

function textOf({ source, state, read, matched, gaps }: Listened): string {
  const counts = words.counts(formatNumber(read), formatNumber(matched));
  const missed = gaps.length === 0 ? '' : ` ${words.gaps(gaps.length)}`;
  const why = state === 'refused' && gaps.length > 0 ? `: ${gaps[0]!.reason}` : '';
  return `${nameOf(source)}: ${words.states[state]}${why}. ${counts}${missed}`;
}

/** What people call an entry of `listen`: the name of its source, with its site. */
function nameOf(source: string): string {
  const [kind, ...place] = source.split(':');
  return [sourceName(kind!), ...(place.length === 0 ? [] : [place.join(':')])].join(' ');
}

/** Where an alert listens, and what was read there and what was not. */
export function Listening({ alert }: { alert: Alert }) {
  const listens = (alert.listen ?? []).length > 0;
  const query = useListening(alert.id, listens);
  return (
    <Panel title={alertPageTexts.listening.title}>
      {listens ? (
        <QueryView query={query} rows={1}>
          {({ sources }) => (
            <ul className="space-y-3 text-[13px]">
              {sources.map((source) => (
                <ListenedSource key={source.source} source={source} />
              ))}
            </ul>
          )}
        </QueryView>
      ) : (
        <p className="text-sm text-muted">{alertPageTexts.listening.places}</p>
      )}
    </Panel>
  );
}

function ListenedSource({ source: { source, state, since, read, matched, gaps } }: { source: Listened }) {
  const texts = alertPageTexts.listening;
  const more = gaps.length - SHOWN_GAPS;
  return (
    <li className="[overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-medium">{nameOf(source)}</span>
        <StatusDot tone={TONES[state]}>{words.states[state]}</StatusDot>
      </p>
      <p className="text-muted">
        {words.counts(formatNumber(read), formatNumber(matched))}{' '}
        {since !== null && (
          <>
            ({texts.since} <Time at={since} />)
          </>
        )}
      </p>
      {gaps.slice(0, SHOWN_GAPS).map(({ from, to, reason }) => (
        <p key={from} className="text-warn">
          {texts.gap(formatExactTime(new Date(from)), formatExactTime(new Date(to)), reason)}
        </p>
      ))}
      {more > 0 && <p className="text-warn">{texts.moreGaps(formatNumber(more))}</p>}
    </li>
  );
}
