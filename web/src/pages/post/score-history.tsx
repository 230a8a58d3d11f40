import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Chart, drawLines, LineMark } from '../../components/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber } from '../../format.ts';
import { postTexts } from '../../texts/post.ts';
import { keys } from '../../api/keys.ts';

const words = postTexts.history;
const HEIGHT = 160;

/** How score and comments of a post developed over the times it was collected; nothing after a single time. */
export default function ScoreHistory({ postId }: { postId: string }) {
  const { workspace_id } = useSession();
  const history = useQuery({
    queryKey: keys.postHistory(workspace_id, postId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}/history', {
          params: { path: { workspace_id, post_id: postId } },
        }),
      ),
  });
  const seen = history.data?.history ?? [];
  return seen.length < 2 ? null : <HistoryChart seen={seen} />;
}

function HistoryChart({ seen }: { seen: Schemas['PostScoreDto'][] }) {
  const draw = useCallback(
    (element: HTMLElement) =>
      drawLines(
        element,
        HEIGHT,
        seen.map(({ seen_at }) => seen_at),
        [seen.map(({ score }) => score), seen.map(({ num_comments }) => num_comments)],
      ),
    [seen],
  );
  const last = seen.at(-1)!;
  const values = [
    [words.score, seen[0]!.score, last.score],
    [words.comments, seen[0]!.num_comments, last.num_comments],
  ] as const;
  return (
    <Panel title={words.title}>
      <ul className="mb-2 flex flex-wrap gap-x-5 text-sm">
        {values.map(([name, first, now], index) => (
          <li key={name} className="flex items-center gap-2">
            <LineMark index={index} /> {name}: {formatNumber(first)} → {formatNumber(now)}
          </li>
        ))}
      </ul>
      <Chart label={words.title} height={HEIGHT} draw={draw} />
    </Panel>
  );
}
