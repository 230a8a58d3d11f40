import { type ComponentProps, createContext, type ReactNode, use, useId, useLayoutEffect } from 'react';

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent shadow-xs',
  plain: 'bg-surface text-ink border-line shadow-xs hover:bg-raised',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-raised',
  danger: 'bg-surface text-bad border-line shadow-xs hover:border-bad',
  quietDanger: 'bg-transparent text-bad border-transparent hover:bg-raised',
};
export type Look = keyof typeof LOOKS;

/** Classes of a button, also used for links and menu triggers that look like one. */
export function buttonClass(look: Look = 'plain'): string {
  return `inline-flex min-h-8 items-center justify-center gap-1.5 rounded-lg border px-2.5 py-1 text-[13px] font-medium whitespace-nowrap no-underline transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${LOOKS[look]}`;
}

/** A button that does nothing while `disabled` but keeps the focus, which browsers take from disabled elements. */
export function Button({
  look,
  className = '',
  disabled = false,
  onClick,
  ...rest
}: ComponentProps<'button'> & { look?: Look | undefined }) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={disabled || undefined}
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(look)} ${className}`}
    />
  );
}

export const inputClass =
  'min-h-8 w-full rounded-lg border border-edge bg-surface px-2.5 py-1 text-sm text-ink aria-invalid:border-bad';

interface FieldTexts {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

interface FieldProps extends FieldTexts {
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** Registers a message that a field shows; the returned function must be called when the field no longer shows it. */
export const FieldMessages = createContext<(message: string) => () => void>(() => () => undefined);

/** The messages of invalid controls of a form that was to be submitted, by the id of the control. */
export const InvalidControls = createContext<Readonly<Record<string, string>>>({});

/** A labelled control with a hint and an error. */
export function Field({ label, hint, error: given, children }: FieldProps) {
  const id = useId();
  const error = use(InvalidControls)[id] ?? given;
  const show = use(FieldMessages);
  useLayoutEffect(() => (error === undefined ? undefined : show(error)), [error, show]);
  const noted = hint !== undefined || error !== undefined;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-medium [overflow-wrap:anywhere]">
        {label}
      </label>
      {children({
        id,
        ...(noted && { 'aria-describedby': `${id}-note` }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {noted && (
        <p
          id={`${id}-note`}
          className={`mt-1 text-[13px] ${error === undefined ? 'text-muted' : 'text-bad'}`}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

/** A labelled checkbox, with an optional hint about its effect. */
export function Checkbox({
  label,
  hint,
  ...rest
}: ComponentProps<'input'> & { label: string; hint?: string }) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          aria-describedby={hint === undefined ? undefined : id}
          {...rest}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="-mt-1.5 mb-1 pl-6 text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

export function Select<T extends string>({
  options,
  onChange,
  ...rest
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  return (
    <select className={inputClass} {...rest} onChange={({ target }) => onChange(target.value as T)}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A labelled single-line text field. */
export function TextField({
  label,
  hint,
  error,
  className = '',
  onChange,
  ...rest
}: FieldTexts & Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (value: string) => void }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          className={`${inputClass} ${className}`}
          onChange={({ target }) => onChange(target.value)}
          {...rest}
        />
      )}
    </Field>
  );
}

/** A labelled choice from a few values. */
export function SelectField<T extends string>({
  label,
  hint,
  error,
  value,
  options,
  onChange,
}: FieldTexts & {
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Select {...control} value={value} options={options} onChange={onChange} />}
    </Field>
  );
}
