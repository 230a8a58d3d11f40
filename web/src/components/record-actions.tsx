import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonTexts } from '../texts/common.ts';
import { Button, type Look } from './controls.tsx';
import { Menu } from './menu.tsx';
import { ErrorNote } from './states.tsx';
import { deleteLater } from './undo.ts';

interface Actions {
  words: Record<'pause' | 'resume' | 'edit' | 'delete', string>;
  id: string;
  /** Added to the names of the buttons on pages with several records. */
  name?: string;
  /** Whether the actions are choices of a menu. */
  isMenu?: boolean;
  isActive: boolean;
  /** Says that the record was deleted, and what with it. */
  deleted: string;
  action: { text: string; look?: Look; run: () => Promise<unknown> };
  /** The form that changes the record. */
  form: (onClose: () => void) => ReactNode;
  /** Additional buttons. */
  children?: ReactNode;
  onToggle: () => Promise<unknown>;
  onDelete: () => Promise<unknown>;
  /** Called as soon as the record is no longer shown. */
  onDeleted?: () => void;
}

/**
 * The actions of a record that can be paused: its own action, pause or resume, change, and delete, which can be taken
 * back for ten seconds.
 */
export function RecordActions({ words, name, isMenu = false, form, children, ...given }: Actions) {
  const { id, isActive, deleted, action, onToggle, onDelete, onDeleted } = given;
  const [isEditing, setEditing] = useState(false);
  const toggle = useMutation({ mutationFn: onToggle });
  const own = useMutation({ mutationFn: action.run });
  const error = toggle.error ?? own.error;
  const toggleText = isActive ? words.pause : words.resume;
  const actions = [
    { text: action.text, look: action.look, isPending: own.isPending, run: () => own.mutate() },
    { text: toggleText, isPending: toggle.isPending, run: () => toggle.mutate() },
    { text: words.edit, run: () => setEditing(true) },
    {
      text: words.delete,
      look: 'danger' as const,
      run: () => {
        deleteLater({ ids: [id], text: deleted, run: onDelete });
        onDeleted?.();
      },
    },
  ];
  const buttons = actions.map(({ text, look, isPending = false, run }, index) => (
    <Button
      // A changed text must not replace the button, which may have the focus.
      key={index}
      look={isMenu ? (look === 'danger' ? 'quietDanger' : 'quiet') : look}
      className={isMenu ? 'w-full justify-start!' : ''}
      aria-label={name === undefined ? text : `${text}: ${name}`}
      disabled={isPending}
      onClick={run}
    >
      {text}
    </Button>
  ));
  return (
    <>
      {isMenu ? (
        <Menu label={commonTexts.actions} name={commonTexts.actionsOf(name ?? '')}>
          {buttons}
          {children}
        </Menu>
      ) : (
        <>
          {buttons.slice(0, -1)}
          {children}
          {buttons.at(-1)}
        </>
      )}
      {error && <ErrorNote error={error} />}
      {isEditing && form(() => setEditing(false))}
    </>
  );
}
