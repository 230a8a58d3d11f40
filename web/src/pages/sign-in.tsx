import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { sessionQuery, signIn } from '../api/session.ts';
import { SignInForm } from '../components/sign-in-form.tsx';
import { texts } from '../texts.ts';
import { keys } from '../api/keys.ts';

/** Exchanges an API key for a session; the key is not kept in the page. */
export function SignIn() {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: signIn,
    onSuccess: () => client.fetchQuery({ ...sessionQuery, staleTime: 0 }),
    gcTime: 0,
  });
  return (
    <SignInForm
      title={texts.signIn.title}
      explanation={texts.signIn.explanation}
      label={texts.signIn.key}
      hint={texts.signIn.hint}
      name="api_key"
      hasEnded={client.getQueryData(keys.sessionEnded()) === true}
      refusal={keyRefusal(mutation.error)}
      mutation={mutation}
    />
  );
}

/** What is wrong with the key itself. */
function keyRefusal(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'revoked_api_key') return texts.signIn.revoked;
  return error.status === 401 || error.status === 400 ? texts.signIn.invalid : undefined;
}
