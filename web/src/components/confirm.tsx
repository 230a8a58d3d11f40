import { useMutation } from '@tanstack/react-query';
import { commonTexts } from '../texts/common.ts';
import { Button } from './controls.tsx';
import { Modal } from './modal.tsx';
import { ErrorNote } from './states.tsx';

/** Asks for confirmation before an irreversible action; shows why it was refused. */
export function Confirm({
  title,
  text,
  action,
  keep = commonTexts.cancel,
  run,
  onClose,
}: {
  title: string;
  text: string;
  action: string;
  keep?: string;
  run: () => Promise<unknown>;
  onClose: () => void;
}) {
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <Modal title={title} onClose={onClose}>
      <p className="mb-4 text-sm text-muted">{text}</p>
      {mutation.error && <ErrorNote error={mutation.error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{keep}</Button>
        <Button look="danger" disabled={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
