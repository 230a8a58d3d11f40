import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { identityProviderQuery, sessionQuery, signIn } from '../api/session.ts';
import { buttonClass } from '../components/controls.tsx';
import { SignInForm } from '../components/sign-in-form.tsx';
import { signInTexts } from '../texts/sign-in.ts';
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
      title={signInTexts.title}
      explanation={signInTexts.explanation}
      label={signInTexts.key}
      hint={signInTexts.hint}
      name="api_key"
      hasEnded={client.getQueryData(keys.sessionEnded()) === true}
      refusal={keyRefusal(mutation.error)}
      mutation={mutation}
      above={<AccountSignIn />}
    />
  );
}

/** The way to sign in with an account, where the service has an identity provider. */
export function AccountSignIn() {
  const provider = useQuery(identityProviderQuery);
  const problem = new URLSearchParams(location.search).get('problem') ?? '';
  const page = problem === '' ? location.pathname + location.search : '/';
  if (!provider.data?.issuer) return null;
  return (
    <div className="space-y-3">
      {signInTexts.problems[problem] !== undefined && <p role="alert">{signInTexts.problems[problem]}</p>}
      <a
        href={`/api/v1/session/oidc/begin?return_to=${encodeURIComponent(page)}`}
        className={`${buttonClass('primary')} w-full`}
      >
        {signInTexts.withAccount}
      </a>
      <p className="text-center text-sm text-muted">{signInTexts.or}</p>
    </div>
  );
}

/** What is wrong with the key itself. */
function keyRefusal(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'revoked_api_key') return signInTexts.revoked;
  return error.status === 401 || error.status === 400 ? signInTexts.invalid : undefined;
}
