import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ApiError, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { useDelayed } from '../../timers.ts';
import { keys } from '../../api/keys.ts';

const TYPING_MS = 300;
const SHOWN_MATCHES = 5;

/** Shows which of the stored posts a draft of an alert matches; updated while it is edited. */
export function AlertPreview({ keywords, forums }: { keywords: string[]; forums: string[] }) {
  const { workspace_id } = useSession();
  const draft = useDelayed(JSON.stringify({ keywords, forums }), TYPING_MS);
  const preview = useQuery({
    queryKey: keys.alertPreview(workspace_id, draft),
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/alerts/preview', {
          params: { path: { workspace_id } },
          body: JSON.parse(draft) as Schemas['DraftAlertDto'],
          signal,
        }),
      ),
    enabled: keywords.length > 0,
    placeholderData: keepPreviousData,
  });
  const words = texts.alerts;
  return (
    <section aria-label={words.preview} className="rounded-xl bg-raised p-4 text-sm">
      <h3 className="mb-2 font-semibold">{words.preview}</h3>
      {keywords.length === 0 ? (
        <p className="text-muted">{words.previewEmpty}</p>
      ) : preview.error instanceof ApiError && preview.error.status === 400 ? (
        // The form shows the reason when it is submitted.
        <p className="text-muted">{words.previewRefused}</p>
      ) : preview.error ? (
        <ErrorNote error={preview.error} />
      ) : preview.data === undefined ? (
        <p className="text-muted">{texts.common.loading} …</p>
      ) : (
        <>
          <p role="status" className="text-muted">
            {preview.data.total === 0
              ? words.previewNone(formatNumber(preview.data.posts_scanned))
              : words.previewTotal(
                  formatNumber(preview.data.total),
                  formatNumber(preview.data.posts_scanned),
                )}
          </p>
          <ul className="mt-2 space-y-2">
            {preview.data.matches.slice(0, SHOWN_MATCHES).map((match) => (
              <li key={match.post_id} className="[overflow-wrap:anywhere]">
                <Link
                  to="/posts/$postId"
                  params={{ postId: match.post_id }}
                  target="_blank"
                  className="text-accent"
                >
                  {match.title}
                </Link>
                <span className="block text-[13px] text-muted">
                  {match.forum} · <Time at={match.created_utc} /> · {match.keywords.join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
