import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { Button } from '../components/controls.tsx';
import { ErrorNote } from '../components/states.tsx';
import { signInTexts } from '../texts/sign-in.ts';

/**
 * Offers to sign in with the token in the fragment of the address, which appears in no request and no log, and removes
 * it. It asks first, because somebody else may have sent the link.
 */
export default function SignInByLink() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const redeem = useMutation({
    mutationFn: (token: string) => dataOf(api.POST('/api/v1/session/links/redeem', { body: { token } })),
    onSuccess: async () => {
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/search', replace: true });
    },
    gcTime: 0,
  });
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-5 px-4 py-10">
      <h1 className="text-2xl font-semibold tracking-tight">{signInTexts.title}</h1>
      {redeem.error ? (
        <>
          <ErrorNote error={redeem.error} />
          <Link to="/search" className="text-accent">
            {signInTexts.withKey}
          </Link>
        </>
      ) : (
        <>
          <p className="text-sm text-muted">{signInTexts.byLink}</p>
          <Button look="primary" disabled={redeem.isPending} onClick={() => redeem.mutate(token)}>
            {redeem.isPending ? signInTexts.submitting : signInTexts.submit}
          </Button>
        </>
      )}
    </main>
  );
}
