import { useSession } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Button } from '../../components/controls.tsx';
import { Settled } from '../../components/settled.tsx';
import { formatNumber } from '../../format.ts';
import { mentionsTexts } from '../../texts/mentions.ts';
import { MentionCard } from './mention-card.tsx';
import type { Inbox } from './use-inbox.ts';

const words = mentionsTexts;

/** The rendered mentions of an inbox. */
export function MentionList({ inbox }: { inbox: Inbox }) {
  const mayWrite = useSession().allows('write');
  const { place, onCard, isSelectable } = inbox;
  return (
    <Settled>
      <ol className="-mx-1 space-y-2 overflow-x-clip px-1" aria-label={words.title}>
        {place.rendered.map((match, at) => (
          <MentionCard
            key={match.id}
            match={match}
            isActive={at === place.index}
            isSelected={isSelectable ? place.selected.has(match.id) : null}
            mayWrite={mayWrite}
            onAction={onCard}
          />
        ))}
      </ol>
    </Settled>
  );
}

/** Offers to take the latest change back. */
export function UndoNote({ inbox: { offered, undo } }: { inbox: Inbox }) {
  return (
    <div role="status" className="fixed bottom-4 left-1/2 z-30 -translate-x-1/2">
      {offered && (
        <Card className="flex items-center gap-3 px-4 py-2 text-sm shadow-xl">
          {words.changed(
            formatNumber(offered.count),
            offered.state === undefined ? null : words.states[offered.state],
          )}
          <Button onClick={undo}>
            {words.undo} <kbd className="text-[11px] text-muted">Z</kbd>
          </Button>
        </Card>
      )}
    </div>
  );
}
