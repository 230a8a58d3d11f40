import { Archive, Ban, ExternalLink, MessageSquare, Star, StickyNote } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { type FoldedMatch, subjectOf } from '../../api/matches.ts';
import { originalAddress, sourceName, sourceOf } from '../../api/original.ts';
import { buttonClass } from '../../components/controls.tsx';
import { MarkedParts } from '../../components/marked-parts.tsx';
import { beginningOf } from '../../components/plain-text.ts';
import { PostLink } from '../../components/post-link.tsx';
import { Sentiment } from '../../components/sentiment.tsx';
import { Time } from '../../components/time.tsx';
import { excerptOf, markWords } from '../../components/word-marks.ts';
import { formatCompact, formatNumber, formatPercent } from '../../format.ts';
import { mentionsTexts } from '../../texts/mentions.ts';
import { searchTexts } from '../../texts/search.ts';
import { MentionNote } from './mention-note.tsx';
import { SpeakerFacts } from './speaker-facts.tsx';
import { useAlertNames, useAlertOf } from './mention-row.tsx';
import type { TriageAction } from './triage.ts';
import { useSwipe } from './use-swipe.ts';

const words = mentionsTexts;
const EXCERPT = 320;

const ACTIONS = [
  ['done', Archive],
  ['keep', Star],
  ['dismiss', Ban],
] as const;

interface Mention {
  match: FoldedMatch;
  onAction: (action: TriageAction, id: string) => void;
}
type Subject = NonNullable<ReturnType<typeof subjectOf>>;

/** A mention with what it says, where, and what can be done with it. */
export const MentionCard = memo(function MentionCard({
  match,
  isActive,
  isSelected,
  mayWrite,
  onAction,
}: Mention & {
  isActive: boolean;
  /** Null where none can be selected. */
  isSelected: boolean | null;
  mayWrite: boolean;
}) {
  const subject = subjectOf(match);
  const title = subject?.title ?? words.commentOn(subject?.parentTitle ?? null);
  const card = useRef<HTMLElement>(null);
  const [swiped, setSwiped] = useState<'done' | 'keep' | null>(null);
  const swipe = useSwipe(card, setSwiped, (action) => onAction(action, match.id));
  return (
    <li className="relative">
      {swiped !== null && <SwipeHint action={swiped} />}
      <Card
        as="article"
        id={match.id}
        ref={card}
        {...(mayWrite && swipe)}
        tabIndex={isActive ? 0 : -1}
        aria-label={subject?.title ?? (subject && beginningOf(subject.text, 80)) ?? words.gone}
        aria-current={isActive || undefined}
        look={isActive ? 'selected' : 'plain'}
        className="relative flex touch-pan-y gap-3 p-3 outline-none [overflow-wrap:anywhere]"
      >
        {mayWrite && isSelected !== null && (
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            aria-label={words.select(title)}
            checked={isSelected}
            onChange={() => onAction('select', match.id)}
          />
        )}
        <MentionBody match={match} title={title} mayWrite={mayWrite} onAction={onAction} />
      </Card>
    </li>
  );
});

function MentionBody({ match, title, mayWrite, onAction }: Mention & { title: string; mayWrite: boolean }) {
  const [isNoting, setNoting] = useState(false);
  const { phrases } = useAlertOf(match);
  const subject = subjectOf(match);
  return (
    // On a phone the actions stand below what they are about.
    <div className="grid min-w-0 flex-1 items-start gap-x-3 sm:grid-cols-[1fr_auto] sm:*:nth-[n+3]:col-span-2">
      <h2 dir="auto" className="min-w-0 font-semibold">
        {match.state === 'new' && (
          <span className="mr-1.5 mb-0.5 inline-block size-2 rounded-full bg-fresh" aria-hidden="true" />
        )}
        <MentionTitle subject={subject} title={title} phrases={phrases} />
      </h2>
      <div className="flex shrink-0 gap-0.5 max-sm:order-1 max-sm:mt-1 max-sm:-ml-1.5 sm:-my-1">
        {mayWrite && (
          <MentionActions match={match} isNoting={isNoting} onNote={setNoting} onAction={onAction} />
        )}
        {subject !== null && <OriginalLink subject={subject} />}
      </div>
      {subject !== null && subject.text !== '' && (
        <p dir="auto" className="mt-0.5 line-clamp-3 text-[13px]">
          <MarkedParts parts={excerptOf(subject.text, phrases, EXCERPT)} />
        </p>
      )}
      <MentionFacts match={match} subject={subject} />
      {match.note !== '' && !isNoting && (
        <p className="mt-1.5 border-l-2 border-fresh pl-2 text-[13px] whitespace-pre-line">{match.note}</p>
      )}
      {isNoting && <MentionNote match={match} onClose={() => setNoting(false)} />}
    </div>
  );
}

/** The title of a post with the words that matched, or that of a comment's post; it leads to the thread. */
function MentionTitle({
  subject,
  title,
  phrases,
}: {
  subject: Subject | null;
  title: string;
  phrases: Parameters<typeof markWords>[1];
}) {
  if (subject === null) return <span className="text-muted">{words.gone}</span>;
  return (
    <PostLink
      postId={subject.postId}
      {...(subject.commentId !== undefined && { commentId: subject.commentId })}
      className="text-ink no-underline hover:underline"
    >
      {subject.title === null ? (
        <span className="text-muted">
          <MessageSquare className="mr-1.5 inline size-3.5 align-[-2px]" />
          {title}
        </span>
      ) : (
        <MarkedParts parts={markWords(subject.title, phrases)} />
      )}
    </PostLink>
  );
}

function MentionActions({
  match,
  isNoting,
  onNote,
  onAction,
}: Mention & { isNoting: boolean; onNote: (isNoting: boolean) => void }) {
  return (
    <>
      {ACTIONS.map(([action, Icon]) => (
        <IconButton
          key={action}
          label={words.actions[action]}
          isPressed={words.stateOfAction[action] === match.state}
          onClick={() => onAction(action, match.id)}
        >
          <Icon className="size-4" />
        </IconButton>
      ))}
      <IconButton label={words.note} isPressed={isNoting} onClick={() => onNote(!isNoting)}>
        <StickyNote className="size-4" />
      </IconButton>
    </>
  );
}

function OriginalLink({ subject }: { subject: Subject }) {
  const original = originalAddress({ id: subject.postId, permalink: subject.permalink });
  if (original === null) return null;
  return (
    <a
      href={original}
      target="_blank"
      rel="noreferrer noopener"
      title={words.actions.original}
      aria-label={words.actions.original}
      className={`${buttonClass('quiet')} px-1.5! text-muted`}
    >
      <ExternalLink className="size-4" />
    </a>
  );
}

/** Where and by whom it was published, which alert found it, and its labels. */
function MentionFacts({ match, subject }: { match: FoldedMatch; subject: Subject | null }) {
  const names = useAlertNames(match);
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-[13px] text-muted">
      {subject !== null && (
        <>
          <Sentiment label={subject.sentiment.label} score={subject.sentiment.score} />
          <span>{sourceName(sourceOf(subject.postId) ?? '')}</span>
          {subject.forum !== null && <span className="font-medium">{subject.forum}</span>}
          <span>
            {searchTexts.by} {subject.author}
          </span>
          {match.speaker && <SpeakerFacts speaker={match.speaker} />}
          <span>
            {words.found} <Time at={match.matched_at} />
          </span>
          <span>
            {words.written} <Time at={subject.created} />
          </span>
          <span>{searchTexts.points(formatCompact(subject.score))}</span>
        </>
      )}
      {match.relevance !== null && (
        <span title={words.reasons(reasonsOf(match))}>{words.relevant(formatPercent(match.relevance))}</span>
      )}
      {match.duplicates > 0 && <span>{words.duplicates(formatNumber(match.duplicates))}</span>}
      {names.map((name) => (
        <span key={name} className="max-w-56 truncate rounded bg-accent-soft px-1.5 text-ink" title={name}>
          {name}
        </span>
      ))}
      {match.labels.map((label) => (
        <span key={label} className="rounded bg-fresh-soft px-1.5 text-fresh">
          {label}
        </span>
      ))}
    </p>
  );
}

/** The reason of the second reading, then the words that speak for relevance with a plus, those against it with a minus. */
const reasonsOf = ({ reasons, second_reading: reading }: FoldedMatch): string =>
  [
    ...(reading === undefined ? [] : [`“${reading.reason}”`]),
    ...(reasons ?? []).map(({ feature, weight }) => `${weight > 0 ? '+' : '−'}${feature}`),
  ].join(', ');

/** What releasing a swiped card does, on the side that it uncovers. */
function SwipeHint({ action }: { action: 'done' | 'keep' }) {
  const side = action === 'done' ? 'justify-start' : 'justify-end';
  return (
    <div
      className={`absolute inset-0 flex items-center rounded-xl bg-accent-soft px-4 text-[13px] font-medium ${side}`}
    >
      {words.actions[action]}
    </div>
  );
}

function IconButton({
  label,
  isPressed,
  onClick,
  children,
}: {
  label: string;
  isPressed: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onClick}
      className={`${buttonClass('quiet')} px-1.5! ${isPressed ? 'bg-accent-soft! text-accent!' : 'text-muted!'}`}
    >
      {children}
    </button>
  );
}
