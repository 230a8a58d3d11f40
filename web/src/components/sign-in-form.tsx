import { type ReactNode, useEffect, useRef } from 'react';
import { commonTexts } from '../texts/common.ts';
import { signInTexts } from '../texts/sign-in.ts';
import { Button, Field, inputClass } from './controls.tsx';
import { Form } from './form.tsx';

interface SignInProps {
  title: string;
  explanation: string;
  label: string;
  hint: string;
  name: string;
  /** Whether the previous session ended by itself. */
  hasEnded: boolean;
  /** What is wrong with the secret itself. */
  refusal: string | undefined;
  mutation: { error: Error | null; isPending: boolean; mutate: (secret: string) => void };
  /** Another way to sign in. */
  above?: ReactNode;
  children?: ReactNode;
}

/**
 * A form for a secret that opens a session. The secret is only in the field, and the field disappears with the page.
 */
export function SignInForm({ title, hasEnded, refusal, mutation, above, children, ...texts }: SignInProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${title} · ${commonTexts.product}`;
  }, [title]);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-5 px-4 py-10">
      <div className="flex items-center gap-3">
        <img src="/favicon.svg" alt="" width="36" height="36" />
        <p className="text-sm text-muted">{commonTexts.product}</p>
      </div>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {hasEnded && <p role="status">{signInTexts.ended}</p>}
      {above}
      <p className="text-muted">{texts.explanation}</p>
      <Form
        className="space-y-4"
        error={refusal === undefined ? mutation.error : null}
        onSubmit={() => mutation.mutate(input.current!.value.trim())}
        actions={
          <Button type="submit" look="primary" className="w-full" disabled={mutation.isPending}>
            {mutation.isPending ? signInTexts.submitting : signInTexts.submit}
          </Button>
        }
      >
        <Field label={texts.label} hint={texts.hint} error={refusal}>
          {(control) => (
            <input
              {...control}
              ref={input}
              type="password"
              name={texts.name}
              autoComplete="current-password"
              required
              autoFocus
              spellCheck={false}
              className={`${inputClass} font-mono`}
            />
          )}
        </Field>
      </Form>
      {children}
    </main>
  );
}
