import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Button } from './controls.tsx';
import { Form } from './form.tsx';
import { Modal } from './modal.tsx';

/** A form in a dialog, with buttons to close and to submit it. */
export function FormModal({
  title,
  wide = false,
  mutation,
  submit,
  submitting,
  isDanger = false,
  isReady = true,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  wide?: boolean;
  mutation: { error: Error | null; isPending: boolean };
  submit: string;
  submitting: string;
  /** Whether the action is irreversible. */
  isDanger?: boolean;
  /** Whether the form may be submitted. */
  isReady?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal title={title} wide={wide} onClose={onClose}>
      <Form
        error={mutation.error}
        className="space-y-4"
        onSubmit={() => isReady && onSubmit()}
        actions={
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{texts.common.cancel}</Button>
            <Button
              type="submit"
              look={isDanger ? 'danger' : 'primary'}
              disabled={!isReady || mutation.isPending}
            >
              {mutation.isPending ? submitting : submit}
            </Button>
          </div>
        }
      >
        {children}
      </Form>
    </Modal>
  );
}
