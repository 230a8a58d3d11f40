import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { FieldMessages } from './controls.tsx';
import { ErrorNote } from './states.tsx';

/**
 * A form that shows each message of a refusal once: next to the field that it names, or above the actions. The first
 * such field gets the focus.
 */
export function Form({
  error,
  actions,
  className,
  onSubmit,
  children,
}: {
  error: Error | null;
  actions: ReactNode;
  className?: string;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<readonly string[]>([]);
  const show = useCallback((message: string) => {
    setShown((before) => [...before, message]);
    return () => setShown((before) => before.toSpliced(before.indexOf(message), 1));
  }, []);
  useEffect(() => {
    // Does not move the focus if the user has left the form meanwhile.
    if (error !== null && form.current?.contains(document.activeElement))
      form.current.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return (
    <FieldMessages value={show}>
      <form
        ref={form}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {error && <ErrorNote error={error} shown={shown} />}
        {actions}
      </form>
    </FieldMessages>
  );
}
