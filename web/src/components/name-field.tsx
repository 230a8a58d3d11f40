import { commonTexts } from '../texts/common.ts';
import { TextField } from './controls.tsx';
import { fieldError } from './states.tsx';

/** The name of a record. */
export function NameField({
  hint,
  isRequired = true,
  maxLength = 255,
  error,
  value,
  onChange,
}: {
  hint?: string;
  isRequired?: boolean;
  /** In characters. */
  maxLength?: number;
  error: Error | null;
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <TextField
      label={commonTexts.name}
      hint={hint}
      error={fieldError(error, 'name')}
      required={isRequired}
      maxLength={maxLength}
      autoComplete="off"
      value={value}
      onChange={onChange}
    />
  );
}
