import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { usePins } from '../../components/pinned-trends.ts';
import { trendsTexts } from '../../texts/trends.ts';

/** The size of a pinned trend, also while its code is loading. */
export const PINNED_CLASS = 'h-66 min-w-0 p-3 sm:p-4';

const PinnedTrend = lazy(() => import('./pinned.tsx'));

/** The trends that were pinned in this browser. */
export function PinnedTrends() {
  const { workspace_id } = useSession();
  const { pins, toggle } = usePins(workspace_id);
  if (pins.length === 0) return null;
  return (
    <ul aria-label={trendsTexts.pins.title} className="mb-4 grid gap-3 lg:grid-cols-2">
      {pins.map((pin) => (
        <Suspense key={JSON.stringify(pin)} fallback={<Card as="li" className={PINNED_CLASS} />}>
          <PinnedTrend state={pin} onRemove={() => toggle(pin)} />
        </Suspense>
      ))}
    </ul>
  );
}
