import type { ReactNode } from 'react';
import { commonTexts } from '../texts/common.ts';
import { errorsTexts } from '../texts/errors.ts';
import { Button } from './controls.tsx';
import { Form } from './form.tsx';
import { Modal } from './modal.tsx';
import type { FormState } from './use-form.ts';

/** A form in a dialog, with buttons to close and to submit it. */
export function FormModal({
  title,
  wide = false,
  words,
  form,
  isDanger = false,
  isReady = true,
  onClose,
  children,
}: {
  title: string;
  wide?: boolean;
  /** Texts of the button to submit it, before and while it is sent. */
  words: { submit: string; submitting: string };
  form: Pick<FormState<object>, 'error' | 'isPending' | 'isRestored' | 'submit' | 'discard'>;
  /** Whether the action is irreversible. */
  isDanger?: boolean;
  /** Whether the form may be submitted. */
  isReady?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal title={title} size={wide ? 'wide' : 'form'} hasFooter onClose={onClose}>
      <Form
        error={form.error}
        className="space-y-3"
        onSubmit={() => isReady && void form.submit()}
        actions={
          <div className="sticky bottom-0 -mx-5 flex justify-end gap-2 border-t border-line bg-surface px-5 py-3">
            <Button
              onClick={() => {
                form.discard();
                onClose();
              }}
            >
              {commonTexts.cancel}
            </Button>
            <Button
              type="submit"
              look={isDanger ? 'danger' : 'primary'}
              disabled={!isReady || form.isPending}
            >
              {form.isPending ? words.submitting : words.submit}
            </Button>
          </div>
        }
      >
        {form.isRestored && (
          <p role="status" className="rounded-lg bg-fresh-soft px-3 py-1.5 text-[13px] text-fresh">
            {errorsTexts.restored}
          </p>
        )}
        {children}
      </Form>
    </Modal>
  );
}
