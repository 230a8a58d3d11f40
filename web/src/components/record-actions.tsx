import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';
import { Button, type Look } from './controls.tsx';
import { ErrorNote } from './states.tsx';

/**
 * The actions of a record that can be paused: its own action, pause or resume, change, and delete after confirmation.
 */
export function RecordActions({
  words,
  name,
  isActive,
  deleteTitle,
  action,
  form,
  children,
  onToggle,
  onDelete,
}: {
  words: Record<'pause' | 'resume' | 'edit' | 'delete' | 'deleteText', string>;
  /** Added to the names of the buttons on pages with several records. */
  name?: string;
  isActive: boolean;
  deleteTitle: string;
  action: { text: string; look?: Look; run: () => Promise<unknown> };
  /** The form that changes the record. */
  form: (onClose: () => void) => ReactNode;
  /** Additional buttons. */
  children?: ReactNode;
  onToggle: () => Promise<unknown>;
  onDelete: () => Promise<unknown>;
}) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const toggle = useMutation({ mutationFn: onToggle });
  const own = useMutation({ mutationFn: action.run });
  const error = toggle.error ?? own.error;
  const toggleText = isActive ? words.pause : words.resume;
  const named = (text: string): string => (name === undefined ? text : `${text}: ${name}`);
  return (
    <>
      <Button
        look={action.look}
        aria-label={named(action.text)}
        disabled={own.isPending}
        onClick={() => own.mutate()}
      >
        {action.text}
      </Button>
      <Button aria-label={named(toggleText)} disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {toggleText}
      </Button>
      <Button aria-label={named(words.edit)} onClick={() => setDialog('edit')}>
        {words.edit}
      </Button>
      {children}
      <Button aria-label={named(words.delete)} look="danger" onClick={() => setDialog('delete')}>
        {words.delete}
      </Button>
      {error && <ErrorNote error={error} />}
      {dialog === 'edit' && form(close)}
      {dialog === 'delete' && (
        <Confirm
          title={deleteTitle}
          text={words.deleteText}
          action={words.delete}
          run={onDelete}
          onClose={close}
        />
      )}
    </>
  );
}
