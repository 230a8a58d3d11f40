import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Deliveries } from '../../components/deliveries.tsx';
import { useInView } from '../../components/in-view.ts';
import { Modal } from '../../components/modal.tsx';
import { useDeliveryHealth } from '../../components/recent-results.tsx';
import { cell, type Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import { commonTexts } from '../../texts/common.ts';
import { AlertActions } from './alert-actions.tsx';
import { AlertFound, AlertState, channelOfAlert, obstacleOf } from './alert-facts.tsx';
import type { Alert } from './alerts.ts';
import { NotifyMe } from './notify-me.tsx';

const words = alertsTexts;
/** Columns for which narrower screens have no room. */
const CLASSES = {
  name: `${cell} w-1/5 max-sm:w-1/2`,
  query: `${cell} w-1/6 max-sm:hidden`,
  listen: `${cell} min-w-24 max-lg:hidden`,
  channel: `${cell} whitespace-nowrap max-lg:hidden`,
  found: `${cell} min-w-28 max-md:hidden`,
  last: `${cell} whitespace-nowrap max-md:hidden`,
  state: `${cell} sm:min-w-36`,
};
export const ALERT_COLUMNS: readonly Column[] = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).map(
  (name) => ({ name: words.columns[name], className: CLASSES[name] }),
);

/** An alert as a row; its own requests are sent when it comes into view. */
export function AlertRow({ alert, checkbox }: { alert: Alert; checkbox: ReactNode }) {
  const [isTested, setTested] = useState(false);
  const [ref, wasSeen] = useInView<HTMLTableRowElement>();
  const destination = { kind: 'alert', id: alert.id } as const;
  const health = useDeliveryHealth(destination, wasSeen);
  const obstacle = obstacleOf(alert, health);
  const mayWrite = useSession().allows('write');
  return (
    // Narrow screens show the menu as wide as the row.
    <tr ref={ref} className="relative border-b border-line align-top last:border-0 hover:bg-raised">
      {checkbox && <td className="py-2 pl-3">{checkbox}</td>}
      <th scope="row" className={`${CLASSES.name} font-medium [overflow-wrap:anywhere]`}>
        <Link
          to="/alerts/$alertId"
          params={{ alertId: alert.id }}
          title={alert.name}
          className="line-clamp-2 text-ink no-underline hover:underline"
        >
          {alert.name}
        </Link>
      </th>
      <td className={CLASSES.query}>
        <OneLine items={alert.query == null ? alert.keywords : [alert.query, ...alert.keywords]} />
      </td>
      <td className={CLASSES.listen}>
        <OneLine items={placesOf(alert)} />
      </td>
      <td className={CLASSES.channel}>{channelOfAlert(alert)}</td>
      <td className={CLASSES.found}>
        <AlertFound alertId={alert.id} enabled={wasSeen} />
      </td>
      <td className={`${CLASSES.last} text-muted`}>
        {alert.last_triggered_at === null ? commonTexts.never : <Time at={alert.last_triggered_at} />}
      </td>
      <td className={CLASSES.state}>
        <span className="flex flex-wrap items-center gap-x-2">
          <AlertState alert={alert} health={health} />
        </span>
        {obstacle !== null && (
          <p className="line-clamp-2 max-w-48 text-bad [overflow-wrap:anywhere]" title={obstacle}>
            {obstacle}
          </p>
        )}
      </td>
      <td className="py-1 pr-3">
        <div className="flex flex-wrap justify-end gap-1">
          <NotifyMe alert={alert} isShort />
          {mayWrite && <AlertActions alert={alert} isMenu onTested={() => setTested(true)} />}
        </div>
        {isTested && (
          <Modal title={words.deliveriesOf(alert.name)} size="wide" onClose={() => setTested(false)}>
            <Deliveries destination={destination} />
          </Modal>
        )}
      </td>
    </tr>
  );
}

/** The forums and whole sources that an alert listens to. */
const placesOf = ({ forums, listen = [] }: Alert): readonly string[] =>
  forums.length + listen.length === 0 ? [words.everywhere] : [...forums, ...listen];

/** Names separated by commas, cut to a line; all of them on pointing, and on the page of the alert. */
function OneLine({ items }: { items: readonly string[] }) {
  const text = items.join(', ');
  return (
    <span dir="auto" title={text} className="line-clamp-1 [overflow-wrap:anywhere]">
      {text}
    </span>
  );
}
