import { useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { followStream } from '../../api/followed-stream.ts';
import { useIsVisible } from '../../visibility.ts';
import { addArrivals, type Arrival } from './arrivals.ts';

/** Arrivals are shown together after this time, so that an import does not draw the page for each row. */
const TOGETHER_MS = 300;

/**
 * What a saved search finds of the rows that are stored while its page is open. A hidden page does not listen; when it
 * is shown again, it goes on after the last event.
 */
export function useArrivals(workspace_id: string, search_id: string): readonly Arrival[] {
  const isVisible = useIsVisible();
  const lastEventId = useRef<string>(undefined);
  const [arrived, setArrived] = useState<readonly Arrival[]>([]);
  useEffect(() => {
    if (!isVisible) return;
    const left = new AbortController();
    let unshown: Arrival[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      const more = unshown;
      [unshown, timer] = [[], undefined];
      setArrived((before) => addArrivals(before, more));
    };
    void followStream(
      {
        lastEventId: lastEventId.current,
        open: async (last, signal) =>
          (await dataOf(
            api.GET('/api/v1/workspaces/{workspace_id}/searches/{search_id}/stream', {
              params: {
                path: { workspace_id, search_id },
                ...(last !== undefined && { header: { 'Last-Event-ID': last } }),
              },
              parseAs: 'stream',
              signal,
            }),
          )) as unknown as ReadableStream<Uint8Array>,
        onEvent: ({ type, id, data }) => {
          lastEventId.current = id ?? lastEventId.current;
          if (type === 'heartbeat') return;
          const record = JSON.parse(data) as { id: string; comment_id?: string };
          unshown.push({ id: record.comment_id ?? record.id, at: performance.now() });
          timer ??= setTimeout(show, TOGETHER_MS);
        },
      },
      left.signal,
    );
    return () => {
      left.abort();
      clearTimeout(timer);
      if (unshown.length > 0) show();
    };
  }, [workspace_id, search_id, isVisible]);
  return arrived;
}
