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
  isRestored = false,
  onSubmit,
  onCancel,
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
  /** Whether the form began with input that was left without saving. */
  isRestored?: boolean;
  onSubmit: () => void;
  /** Called by the button Cancel before `onClose`, to discard what was entered. */
  onCancel?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal title={title} wide={wide} hasFooter onClose={onClose}>
      <Form
        error={mutation.error}
        className="space-y-3"
        onSubmit={() => isReady && onSubmit()}
        actions={
          <div className="sticky bottom-0 -mx-5 flex justify-end gap-2 border-t border-line bg-surface px-5 py-3">
            <Button
              onClick={() => {
                onCancel?.();
                onClose();
              }}
            >
              {texts.common.cancel}
            </Button>
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
        {isRestored && (
          <p role="status" className="rounded-lg bg-fresh-soft px-3 py-1.5 text-[13px] text-fresh">
            {texts.errors.restored}
          </p>
        )}
        {children}
      </Form>
    </Modal>
  );
}
