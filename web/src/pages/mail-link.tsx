import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { Button } from '../components/controls.tsx';
import { ErrorNote } from '../components/states.tsx';
import { mailLinksTexts } from '../texts/mail-links.ts';

const REQUESTS = {
  '/confirm-address': {
    words: mailLinksTexts.confirm,
    send: (token: string) =>
      dataOf(api.POST('/api/v1/notification-links/confirm', { params: { query: { token } } })),
  },
  '/unsubscribe': {
    words: mailLinksTexts.unsubscribe,
    send: (token: string) =>
      dataOf(api.POST('/api/v1/notification-links/unsubscribe', { params: { query: { token } } })),
  },
};

/**
 * Offers what a link in an e-mail is for, without a session. The token is in the fragment of the address, which appears
 * in no log, and is removed from it. It asks first, because scanners open links, too.
 */
export default function MailLink({ path }: { path: keyof typeof REQUESTS }) {
  const { words, send } = REQUESTS[path];
  const run = useMutation({ mutationFn: send, gcTime: 0 });
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-5 px-4 py-10">
      <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
      {run.error && <ErrorNote error={run.error} />}
      {run.isSuccess ? (
        <p role="status" className="text-sm">
          {words.done}
        </p>
      ) : (
        <>
          <p className="text-sm text-muted">{words.text}</p>
          <Button look="primary" disabled={run.isPending} onClick={() => run.mutate(token)}>
            {words.submit}
          </Button>
        </>
      )}
      <Link to="/settings" className="text-sm text-accent">
        {mailLinksTexts.toSettings}
      </Link>
    </main>
  );
}
