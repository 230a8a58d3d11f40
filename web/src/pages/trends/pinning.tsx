import { useMutation } from '@tanstack/react-query';
import { Pin as PinIcon } from 'lucide-react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { isPinOf, requestOf, type ShownTrend, usePins } from '../../components/pinned-trends.ts';
import { ErrorNote } from '../../components/states.tsx';
import { trendsTexts } from '../../texts/trends.ts';

const words = trendsTexts.pins;

/** Pins the chart to Home, or removes it there; null while there is no chart. */
export function Pinning({ trend }: { trend: ShownTrend | null }) {
  const { workspace_id } = useSession();
  const { pins, isPending, refresh, remove } = usePins();
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
      <Button
        aria-pressed={pinned !== undefined}
        disabled={isPending || trend === null || create.isPending}
        onClick={() => (pinned ? remove(pinned) : create.mutate(requestOf(trend!)))}
      >
        <PinIcon className="size-3.5" />
        {pinned === undefined ? words.pin : words.pinned}
      </Button>
    </div>
  );
}
