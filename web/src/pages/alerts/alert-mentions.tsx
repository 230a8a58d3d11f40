import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { MatchFilters } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { ChoiceButtons } from '../../components/choice-buttons.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { MentionList, UndoNote } from '../mentions/mention-list.tsx';
import { useInbox } from '../mentions/use-inbox.ts';
import type { Alert } from './alerts.ts';

const words = alertPageTexts.mentions;
const ORDERS = ['newest', 'uncertain'] as const;
type Order = (typeof ORDERS)[number];
/** How often the relevance is read until it is learned, which the service does some time after the decisions. */
const REFRESH_MS = 5_000;
const SHOWN = { newest: 5, uncertain: 10 };

const filtersOf = (alert_id: string, order: Order): MatchFilters =>
  order === 'newest' ? { alert_id } : { alert_id, state: 'new', sort_by: 'uncertainty' };

/** The newest mentions of an alert, or those whose decision teaches it most, with the relevance of all. */
export function AlertMentions({ alert }: { alert: Alert }) {
  const [order, setOrder] = useState<Order>('newest');
  return (
    <Panel
      title={words.title}
      actions={
        <ChoiceButtons
          label={words.order}
          options={choices(ORDERS, words.orders)}
          value={order}
          onChange={setOrder}
        />
      }
    >
      <Relevance alert={alert} />
      <Inbox key={order} alertId={alert.id} order={order} />
    </Panel>
  );
}

function Inbox({ alertId, order }: { alertId: string; order: Order }) {
  const mayWrite = useSession().allows('write');
  const inbox = useInbox(filtersOf(alertId, order), { atOnce: SHOWN[order], isSelectable: false });
  const { items, query, error } = inbox;
  return (
    <>
      {error && <ErrorNote error={error} />}
      <QueryView query={query} rows={SHOWN[order]}>
        {({ pages }) => (
          <>
            {items.length === 0 ? (
              <p className="text-sm text-muted">{order === 'newest' ? words.none : words.noneToJudge}</p>
            ) : (
              <>
                {order === 'uncertain' && mayWrite && (
                  <p className="mb-2 text-[13px] text-muted">{words.judgeHint}</p>
                )}
                <MentionList inbox={inbox} />
              </>
            )}
            {pages[0]!.total > 0 && (
              <p className="mt-3 text-sm">
                <Link to="/mentions" search={{ alert: alertId, state: 'all' }} className="text-accent">
                  {words.all(formatNumber(Object.values(pages[0]!.counts).reduce((a, b) => a + b, 0)))}
                </Link>
              </p>
            )}
          </>
        )}
      </QueryView>
      <UndoNote inbox={inbox} />
    </>
  );
}

/** How precise the alert is, as far as its decisions tell. */
function Relevance({ alert }: { alert: Alert }) {
  const { workspace_id } = useSession();
  const words = alertPageTexts.relevance;
  const { data } = useQuery({
    queryKey: keys.relevance(workspace_id, alert.id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/relevance', {
          params: { path: { workspace_id, alert_id: alert.id } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.ready === true ? false : REFRESH_MS),
  });
  if (data === undefined) return null;
  const { verdicts, ready, precision, min_relevance, hidden } = data;
  return (
    <p className="mb-3 flex flex-wrap gap-x-2 text-[13px] text-muted">
      <span>{words.decided(formatNumber(verdicts.kept), formatNumber(verdicts.dismissed))}</span>
      {!ready && <span>{words.notReady}</span>}
      {precision !== null && (
        <span className="text-ink">
          {words.precision(
            formatPercent(precision.estimate),
            formatPercent(precision.low),
            formatPercent(precision.high),
          )}
        </span>
      )}
      {min_relevance !== null && hidden > 0 && (
        <span>{words.hidden(formatNumber(hidden), formatPercent(min_relevance))}</span>
      )}
    </p>
  );
}
