import { commonTexts } from '../texts/common.ts';
import { TextField } from './controls.tsx';
import { fieldError } from './states.tsx';

/** The name of a new record. */
export function NameField({
  hint,
  error,
  value,
  onChange,
}: {
  hint?: string;
  error: Error | null;
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <TextField
      label={commonTexts.name}
      hint={hint}
      error={fieldError(error, 'name')}
      required
      maxLength={255}
      autoComplete="off"
      value={value}
      onChange={onChange}
    />
  );
}
