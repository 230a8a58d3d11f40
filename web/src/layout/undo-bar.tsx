import { Card } from '../components/card.tsx';
import { Button } from '../components/controls.tsx';
import { ErrorNote } from '../components/states.tsx';
import { undoDeletion, useDeletions } from '../components/undo.ts';
import { commonTexts } from '../texts/common.ts';

/** What was just deleted, with a button that takes it back. */
export function UndoBar() {
  const deletions = useDeletions().filter(({ isSent, error }) => !isSent || error !== null);
  return (
    <div
      role="status"
      className="fixed bottom-4 left-1/2 z-30 w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 space-y-2"
    >
      {deletions.map(({ key, text, error }) =>
        error === null ? (
          <Card key={key} className="flex items-center justify-between gap-3 px-4 py-2 text-sm shadow-xl">
            <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{text}</span>
            <Button onClick={() => undoDeletion(key)}>{commonTexts.undo}</Button>
          </Card>
        ) : (
          <ErrorNote key={key} error={error} />
        ),
      )}
    </div>
  );
}
