import { texts } from '../texts.ts';
import { Button } from './controls.tsx';
import { ErrorNote } from './states.tsx';

/** The end of a form in a dialog: why it was refused, the button that closes it and the one that sends it. */
export function FormActions({
  mutation,
  submit,
  submitting,
  onCancel,
}: {
  mutation: { error: Error | null; isPending: boolean };
  submit: string;
  submitting: string;
  onCancel: () => void;
}) {
  return (
    <div className="space-y-4">
      {mutation.error && <ErrorNote error={mutation.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{texts.common.cancel}</Button>
        <Button type="submit" look="primary" disabled={mutation.isPending}>
          {mutation.isPending ? submitting : submit}
        </Button>
      </div>
    </div>
  );
}
