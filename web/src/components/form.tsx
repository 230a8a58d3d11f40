import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { FieldMessages, InvalidControls } from './controls.tsx';
import { ErrorNote } from './states.tsx';
import { invalidControls } from './validity.ts';

/**
 * A form that shows each message once: of an invalid field next to it, before anything is sent; of a refusal next to
 * the field that it names, or above the actions. The first such field gets the focus.
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
  const [invalid, setInvalid] = useState<Readonly<Record<string, string>>>({});
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
      <InvalidControls value={invalid}>
        <form
          ref={form}
          className={className}
          noValidate
          onInput={({ currentTarget }) => {
            // A message goes away with its cause; new ones appear only on submission.
            if (Object.keys(invalid).length === 0) return;
            const still = invalidControls(currentTarget);
            setInvalid(Object.fromEntries(Object.entries(invalid).filter(([id]) => id in still)));
          }}
          onSubmit={(event) => {
            event.preventDefault();
            const found = invalidControls(event.currentTarget);
            setInvalid(found);
            const [first] = Object.keys(found);
            if (first === undefined) onSubmit();
            else document.getElementById(first)?.focus();
          }}
        >
          {children}
          {error && <ErrorNote error={error} shown={shown} />}
          {actions}
        </form>
      </InvalidControls>
    </FieldMessages>
  );
}
