import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { KINDS } from '../../api/kinds.ts';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { Select } from '../../components/controls.tsx';
import { Sentiment } from '../../components/sentiment.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { postTexts } from '../../texts/post.ts';
import { searchTexts } from '../../texts/search.ts';

const LABELS = KINDS.lists.sentiments;
const COMPUTED = 'computed';

type Record = Pick<Schemas['PostViewDto'], 'sentiment_label' | 'sentiment_score' | 'sentiment_source'>;

/** The sentiment of a post, or of one of its comments, which those who may write correct here. */
export function CorrectedSentiment({
  record,
  postId,
  commentId,
}: {
  record: Record;
  postId: string;
  commentId?: string;
}) {
  const { workspace_id, allows } = useSession();
  const client = useQueryClient();
  const correct = useMutation({
    mutationFn: (chosen: (typeof LABELS)[number] | typeof COMPUTED): Promise<unknown> => {
      const body = { label: chosen === COMPUTED ? null : chosen };
      return commentId === undefined
        ? dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/posts/{post_id}/sentiment', {
              params: { path: { workspace_id, post_id: postId } },
              body,
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/comments/{comment_id}/sentiment', {
              params: { path: { workspace_id, comment_id: commentId } },
              body,
            }),
          );
    },
    onSuccess: () =>
      Promise.all(
        (commentId === undefined ? [keys.post] : [keys.threadBeginning, keys.thread]).map((key) =>
          client.invalidateQueries({ queryKey: key(workspace_id, postId) }),
        ),
      ),
  });
  const { sentiment_label, sentiment_score, sentiment_source } = record;
  const shown = <Sentiment label={sentiment_label} score={sentiment_score} />;
  if (!allows('write')) return shown;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {shown}
      <Select
        className="w-6 cursor-pointer rounded bg-transparent text-[13px] text-muted"
        aria-label={postTexts.correctSentiment}
        title={postTexts.correctSentiment}
        value={sentiment_label}
        disabled={correct.isPending}
        options={[
          ...choices(LABELS, searchTexts.sentiments),
          ...(sentiment_source === 'person' ? [[COMPUTED, postTexts.computedSentiment] as const] : []),
        ]}
        onChange={(chosen) => correct.mutate(chosen)}
      />
      {correct.error && <ErrorNote error={correct.error} />}
    </span>
  );
}
