import { useMutation } from '@tanstack/react-query';
import { Link2, Pin as PinIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { isPinOf, requestOf, type ShownTrend, usePins } from '../../components/pinned-trends.ts';
import { ErrorNote } from '../../components/states.tsx';
import { trendsTexts } from '../../texts/trends.ts';

const words = trendsTexts.pins;

const TrendLink = lazy(() => import('./trend-link.tsx'));

/** Pins the chart to Home, or removes it there, and links to it while it is pinned; null while there is no chart. */
export function Pinning({ trend }: { trend: ShownTrend | null }) {
  const { workspace_id } = useSession();
  const { pins, isPending, refresh, remove } = usePins();
  const [isLinking, setLinking] = useState(false);
  const pinned = trend === null ? undefined : pins.find((pin) => isPinOf(pin, trend));
  const create = useMutation({
    mutationFn: (body: ReturnType<typeof requestOf>) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/trends/pins', {
          params: { path: { workspace_id } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {create.error && <ErrorNote error={create.error} />}
      {pinned && (
        <Button onClick={() => setLinking(true)}>
          <Link2 className="size-3.5" />
          {trendsTexts.link.open}
        </Button>
      )}
      <Button
        aria-pressed={pinned !== undefined}
        disabled={isPending || trend === null || create.isPending}
        onClick={() => (pinned ? remove(pinned) : create.mutate(requestOf(trend!)))}
      >
        <PinIcon className="size-3.5" />
        {pinned === undefined ? words.pin : words.pinned}
      </Button>
      {pinned && isLinking && (
        <Suspense>
          <TrendLink pin={pinned} onChange={refresh} onClose={() => setLinking(false)} />
        </Suspense>
      )}
    </div>
  );
}
