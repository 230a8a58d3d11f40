import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { useInView } from '../../components/in-view.ts';
import { type Pin, stateOfPin, usePins } from '../../components/pinned-trends.ts';
import { ErrorNote } from '../../components/states.tsx';
import { trendsTexts } from '../../texts/trends.ts';

const PinnedTrend = lazy(() => import('./pinned.tsx'));

/** The pinned trends of the workspace. */
export function PinnedTrends() {
  const { allows } = useSession();
  const { pins, error, refetch, remove } = usePins();
  if (error)
    return (
      <div className="mb-4">
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (pins.length === 0) return null;
  return (
    <ul aria-label={trendsTexts.pins.title} className="mb-4 grid gap-3 lg:grid-cols-2">
      {pins.map((pin) => (
        <PinPlace key={pin.id} pin={pin} onRemove={allows('write') ? () => remove(pin) : undefined} />
      ))}
    </ul>
  );
}

/** The place of a pinned trend, which is counted once it was on the screen. */
function PinPlace({ pin, onRemove }: { pin: Pin; onRemove: (() => void) | undefined }) {
  const [ref, wasSeen] = useInView<HTMLLIElement>();
  return (
    <li ref={ref} className="min-w-0">
      <Card className="h-66 overflow-hidden p-3 sm:p-4">
        <Suspense>{wasSeen && <PinnedTrend state={stateOfPin(pin)} onRemove={onRemove} />}</Suspense>
      </Card>
    </li>
  );
}
