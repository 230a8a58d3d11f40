import type { Schemas } from '../../api/client.ts';
import { KINDS } from '../../api/kinds.ts';
import { formatDay, formatNumber, formatPercent } from '../../format.ts';
import { mentionsTexts as words } from '../../texts/mentions.ts';

/** With a plus where the API counts no further. */
const countOf = (count: number): string => `${formatNumber(count)}${count < KINDS.mostOfSpeaker ? '' : '+'}`;

/** How much the author of a mention writes here, since when, and how much of it is promotion. */
export function SpeakerFacts({ speaker }: { speaker: Schemas['SpeakerDto'] }) {
  const { posts, comments, first_seen_at, active_days, promotional_share } = speaker;
  const counts = [
    ...(posts > 0 ? [words.posts(countOf(posts))] : []),
    ...(comments > 0 ? [words.comments(countOf(comments))] : []),
  ];
  return (
    <>
      <span title={words.activeSince(formatDay(new Date(first_seen_at)), formatNumber(active_days))}>
        {words.writesHere(counts.join(', '))}
      </span>
      {promotional_share > 0 && <span>{words.promotional(formatPercent(promotional_share))}</span>}
    </>
  );
}
