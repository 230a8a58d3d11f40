import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import { sessionQuery, signIn } from '../api/session.ts';
import { Button, Field, inputClass } from '../components/controls.tsx';
import { ErrorNote } from '../components/states.tsx';
import { texts } from '../texts.ts';

/** Exchanges an API key for a session; the key is kept nowhere in the page. */
export function SignIn() {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const mutation = useMutation({
    mutationFn: signIn,
    onSuccess: () => client.fetchQuery({ ...sessionQuery, staleTime: 0 }),
  });
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`;
  }, []);
  const refusal = keyRefusal(mutation.error);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-5 px-4 py-10">
      <div className="flex items-center gap-3">
        <img src="/favicon.svg" alt="" width="36" height="36" />
        <p className="text-sm text-muted">{texts.product}</p>
      </div>
      <h1 className="text-2xl font-semibold tracking-tight">{texts.signIn.title}</h1>
      <p className="text-muted">{texts.signIn.explanation}</p>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate(input.current!.value.trim());
        }}
      >
        <Field label={texts.signIn.key} hint={texts.signIn.hint} error={refusal}>
          {(control) => (
            <input
              {...control}
              ref={input}
              type="password"
              name="api_key"
              autoComplete="current-password"
              required
              autoFocus
              spellCheck={false}
              className={`${inputClass} font-mono`}
            />
          )}
        </Field>
        {mutation.error && refusal === undefined && <ErrorNote error={mutation.error} />}
        <Button type="submit" look="primary" className="w-full" disabled={mutation.isPending}>
          {mutation.isPending ? texts.signIn.submitting : texts.signIn.submit}
        </Button>
      </form>
    </main>
  );
}

/** What is wrong with the key itself. */
function keyRefusal(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'revoked_api_key') return texts.signIn.revoked;
  return error.status === 401 || error.status === 400 ? texts.signIn.invalid : undefined;
}
