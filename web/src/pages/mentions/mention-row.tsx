import { useQuery } from '@tanstack/react-query';
import { type FoldedMatch, type Match, subjectOf } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { MarkedParts } from '../../components/marked-parts.tsx';
import { PostLink } from '../../components/post-link.tsx';
import { Sentiment } from '../../components/sentiment.tsx';
import { Time } from '../../components/time.tsx';
import { excerptOf, wordsOfQuery } from '../../components/word-marks.ts';
import { mentionsTexts } from '../../texts/mentions.ts';
import { searchTexts } from '../../texts/search.ts';
import { alertsQuery } from '../alerts/alerts.ts';

const EXCERPT = 140;

/** The name of the alert that found a mention, and the words to mark. */
export function useAlertOf({ alert_id, keywords }: Match): { name: string; phrases: readonly string[] } {
  const { workspace_id } = useSession();
  const alert = useQuery(alertsQuery(workspace_id)).data?.find(({ id }) => id === alert_id);
  const query = alert?.query ?? null;
  return {
    name: alert?.name ?? '',
    phrases: query === null ? keywords : [...keywords, ...wordsOfQuery(query)],
  };
}

/** The names of all alerts that found the text of a mention. */
export function useAlertNames({ alert_id, others = [] }: FoldedMatch): string[] {
  const { workspace_id } = useSession();
  const ids = new Set([alert_id, ...others.map((other) => other.alert_id)]);
  return (useQuery(alertsQuery(workspace_id)).data ?? [])
    .filter(({ id }) => ids.has(id))
    .map(({ name }) => name);
}

/** A mention in two lines, which open its post or comment. */
export function MentionRow({ match }: { match: FoldedMatch }) {
  const { phrases } = useAlertOf(match);
  const name = useAlertNames(match).join(', ');
  const subject = subjectOf(match);
  if (subject === null) return null;
  const { postId, commentId, title, parentTitle, text, author, forum, sentiment } = subject;
  return (
    <li className="rounded-lg px-2 py-2 [overflow-wrap:anywhere] hover:bg-raised">
      <p dir="auto" className="line-clamp-2 text-sm">
        {match.state === 'new' && (
          <span className="mr-1.5 inline-block size-2 rounded-full bg-fresh" title={mentionsTexts.states.new}>
            <span className="sr-only">{mentionsTexts.states.new}</span>
          </span>
        )}
        <PostLink
          postId={postId}
          {...(commentId !== undefined && { commentId })}
          className={`text-ink no-underline hover:underline ${title === null ? '' : 'font-medium'}`}
        >
          <MarkedParts parts={excerptOf(title ?? text, phrases, EXCERPT)} />
        </PostLink>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-2.5 text-[13px] text-muted">
        <Sentiment label={sentiment.label} score={sentiment.score} />
        <span className="max-w-80 truncate">
          {commentId === undefined ? forum : mentionsTexts.commentOn(parentTitle)}
        </span>
        {commentId !== undefined && forum !== null && <span>{forum}</span>}
        <span>
          {searchTexts.by} {author}
        </span>
        <span>
          {mentionsTexts.found} <Time at={match.matched_at} />
        </span>
        <span className="max-w-48 truncate" title={name}>
          {name}
        </span>
      </p>
    </li>
  );
}
