import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { adminSessionQuery, signInAsOperator, signOutAsOperator } from '../api/admin-session.ts';
import { ApiError } from '../api/client.ts';
import { endAdminSession } from '../api/query-client.ts';
import { SignInForm } from '../components/sign-in-form.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { AccountSignIn } from '../pages/sign-in.tsx';
import { adminTexts } from '../texts/admin.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { MainContent, SkipLink } from './main-content.tsx';
import { SignOut } from './sign-out.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { keys } from '../api/keys.ts';

const words = adminTexts;

const LINKS = [
  ['/admin/overview', words.overview.title],
  ['/admin/workspaces', words.workspaces.title],
  ['/admin/audit', words.audit.title],
] as const;

/** The operator's pages, or their sign-in. Their session is independent of that of a workspace. */
export default function AdminShell() {
  const { data: session, error, refetch } = useQuery(adminSessionQuery);
  if (session === undefined)
    return (
      <main className="mx-auto max-w-md p-6">
        {error instanceof ApiError && error.status === 404 ? (
          <p>{words.noToken}</p>
        ) : error ? (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </main>
    );
  return session === null ? <OperatorSignIn /> : <Console />;
}

function OperatorSignIn() {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: signInAsOperator,
    onSuccess: () => client.fetchQuery({ ...adminSessionQuery, staleTime: 0 }),
    gcTime: 0,
  });
  const hasNoToken = mutation.error instanceof ApiError && mutation.error.status === 404;
  const isRefused = mutation.error instanceof ApiError && mutation.error.status === 401;
  return (
    <SignInForm
      title={words.signIn.title}
      explanation={words.signIn.explanation}
      label={words.signIn.token}
      hint={words.signIn.hint}
      name="admin_token"
      hasEnded={client.getQueryData(keys.adminSessionEnded()) === true}
      refusal={isRefused ? words.signIn.invalid : hasNoToken ? words.noToken : undefined}
      mutation={mutation}
      above={<AccountSignIn />}
    >
      <Link to="/search" className="text-sm text-accent">
        {words.toDashboard}
      </Link>
    </SignInForm>
  );
}

function Console() {
  return (
    <>
      <SkipLink />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2.5 sm:px-6">
          <span className="flex items-center gap-2 font-semibold">
            <img src="/favicon.svg" alt="" width="24" height="24" />
            {words.title}
          </span>
          <nav aria-label={navigationTexts.label} className="flex-1 max-sm:order-last max-sm:basis-full">
            <ul className="flex flex-wrap gap-1">
              {LINKS.map(([to, label]) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="block rounded-lg px-3 py-1.5 text-sm text-ink no-underline hover:bg-raised"
                    activeProps={{ className: 'bg-accent-soft font-semibold' }}
                    activeOptions={{ includeSearch: false }}
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <Link to="/" className="ml-auto text-sm text-accent">
            {words.toWorkspace}
          </Link>
          <ThemeChoice className="w-40!" />
          <SignOut className="" run={signOutAsOperator} onEnded={endAdminSession} />
        </div>
      </header>
      <MainContent />
    </>
  );
}
