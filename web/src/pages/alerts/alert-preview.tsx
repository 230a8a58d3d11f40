import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ApiError, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNote } from '../../components/states.tsx';
import { excerptOf } from '../../components/plain-text.ts';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { commonTexts } from '../../texts/common.ts';
import { useDelayed } from '../../timers.ts';

const TYPING_MS = 300;
const SHOWN_MATCHES = 5;
const EXCERPT = 140;
const words = alertsTexts;

type Condition = Schemas['DraftAlertDto'];
type Preview = Schemas['AlertPreviewDto'];

/** Shows which of the stored posts and comments a draft of an alert matches; updated while it is edited. */
export function AlertPreview({ condition }: { condition: Condition }) {
  const { workspace_id } = useSession();
  const isEmpty = condition.query == null && condition.keywords?.length === 0;
  const draft = useDelayed(JSON.stringify(condition), TYPING_MS);
  const preview = useQuery({
    queryKey: keys.alertPreview(workspace_id, draft),
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/alerts/preview', {
          params: { path: { workspace_id } },
          body: JSON.parse(draft) as Condition,
          signal,
        }),
      ),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={words.preview} className="min-w-0 rounded-xl bg-raised p-4 text-sm">
      <h3 className="mb-2 font-semibold">{words.preview}</h3>
      {isEmpty ? (
        <p className="text-muted">{words.previewEmpty}</p>
      ) : preview.error instanceof ApiError && preview.error.status === 400 ? (
        // The form shows the reason when it is submitted.
        <p className="text-muted">{words.previewRefused}</p>
      ) : preview.error ? (
        <ErrorNote error={preview.error} />
      ) : preview.data === undefined ? (
        <p className="text-muted">{commonTexts.loading} …</p>
      ) : (
        <Found preview={preview.data} of={condition.of ?? 'posts'} />
      )}
    </section>
  );
}

function Found({ preview, of }: { preview: Preview; of: NonNullable<Condition['of']> }) {
  const counts = [
    ...(of === 'comments' ? [] : [countText('posts', preview.total, preview.posts_scanned)]),
    ...(of === 'posts' ? [] : [countText('comments', preview.comments_total, preview.comments_scanned)]),
  ];
  return (
    <>
      <div role="status" className="text-muted">
        {counts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <ul className="mt-2 space-y-2">
        {preview.matches.slice(0, SHOWN_MATCHES).map((match) => (
          <Match key={match.post_id} match={match} postId={match.post_id} text={match.title} />
        ))}
        {preview.comments.slice(0, SHOWN_MATCHES).map((match) => (
          <Match key={match.comment_id} match={match} postId={match.post_id} text={match.body} />
        ))}
      </ul>
    </>
  );
}

const countText = (of: 'posts' | 'comments', total: number, scanned: number): string =>
  total === 0
    ? words.previewNone[of](formatNumber(scanned))
    : words.previewTotal[of](formatNumber(total), formatNumber(scanned));

function Match({
  match,
  postId,
  text,
}: {
  match: Pick<Preview['matches'][number], 'forum' | 'created_utc' | 'keywords'>;
  postId: string;
  text: string;
}) {
  return (
    <li className="[overflow-wrap:anywhere]">
      <Link to="/posts/$postId" params={{ postId }} target="_blank" className="text-accent">
        {excerptOf(text, EXCERPT)}
      </Link>
      <span className="block text-[13px] text-muted">
        {[match.forum, match.keywords.join(', ')].filter(Boolean).join(' · ')} ·{' '}
        <Time at={match.created_utc} />
      </span>
    </li>
  );
}
