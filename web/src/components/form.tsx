import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { FieldMessages } from './controls.tsx';
import { ErrorNote } from './states.tsx';

/** A form whose refusal is said once: beside the fields that it names, the first of which gets the focus, and above the actions what no field shows. */
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
    // A reader who has left the form meanwhile stays where they are.
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
