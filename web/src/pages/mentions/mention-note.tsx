import { useState } from 'react';
import type { Match } from '../../api/matches.ts';
import { buttonClass, inputClass } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { mentionsTexts as words } from '../../texts/mentions.ts';
import { useNote } from './use-triage.ts';

const MAX_NOTE = 2_000;

/** The form of a mention's note. */
export function MentionNote({ match, onClose }: { match: Match; onClose: () => void }) {
  const [note, setNote] = useState(match.note);
  const save = useNote(match);
  return (
    <form
      className="mt-2 flex flex-wrap gap-2 max-sm:order-1"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(note.trim(), { onSuccess: onClose });
      }}
    >
      <textarea
        aria-label={words.note}
        autoFocus
        rows={2}
        maxLength={MAX_NOTE}
        className={`${inputClass} basis-full`}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      />
      <button type="submit" className={buttonClass('primary')}>
        {words.saveNote}
      </button>
      {save.error && <ErrorNote error={save.error} />}
    </form>
  );
}
