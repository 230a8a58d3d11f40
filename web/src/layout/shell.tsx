import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { endSession } from '../api/query-client.ts';
import { type Session, SessionContext, sessionQuery, signOut } from '../api/session.ts';
import { Button, inputClass, Select } from '../components/controls.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { SignIn } from '../pages/sign-in.tsx';
import { texts } from '../texts.ts';
import { chooseTheme, chosenTheme, type Theme, THEMES } from '../theme.ts';
import { LINKS } from './links.ts';
import { MainContent, SkipLink } from './main-content.tsx';
import { useShortcuts } from './shortcuts.ts';
import { SignOut } from './sign-out.tsx';

const CommandPalette = lazy(() => import('./command-palette.tsx'));
const ShortcutsHelp = lazy(() => import('./shortcuts-help.tsx'));

/** The sign-in page, or the navigation with the current page. */
export function Shell() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session === undefined)
    return (
      <main className="mx-auto max-w-md p-6">
        {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Loading />}
      </main>
    );
  return session === null ? <SignIn /> : <SignedIn session={session} />;
}

function SignedIn({ session }: { session: Session }) {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const navigate = useNavigate();
  useShortcuts({
    palette: () => setOpen('palette'),
    help: () => setOpen('help'),
    go: (to) => void navigate({ to }),
  });
  return (
    <SessionContext value={session}>
      <SkipLink />
      <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_1fr]">
        <Navigation session={session} onCommands={() => setOpen('palette')} onHelp={() => setOpen('help')} />
        <MainContent />
      </div>
      <Suspense>
        {open === 'palette' && <CommandPalette onClose={() => setOpen(null)} />}
        {open === 'help' && <ShortcutsHelp onClose={() => setOpen(null)} />}
      </Suspense>
    </SessionContext>
  );
}

function Navigation({
  session,
  onCommands,
  onHelp,
}: {
  session: Session;
  onCommands: () => void;
  onHelp: () => void;
}) {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const [expanded, setExpanded] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setExpanded(false), [path]);
  return (
    <header className="z-30 border-line bg-surface max-lg:border-b lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r">
      <div className="flex items-center justify-between gap-3 px-4 py-3">
        <Link to="/search" className="flex min-w-0 items-center gap-2 font-semibold text-ink no-underline">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span className="truncate">{session.workspace_name}</span>
        </Link>
        <Button
          className="lg:hidden"
          aria-expanded={expanded}
          aria-controls="navigation"
          onClick={() => setExpanded(!expanded)}
        >
          {texts.navigation.menu}
        </Button>
      </div>
      <div
        id="navigation"
        className={`flex-1 flex-col justify-between px-2 pb-3 lg:flex ${expanded ? 'flex' : 'max-lg:hidden'}`}
      >
        <nav aria-label={texts.navigation.label}>
          <ul className="space-y-0.5">
            {LINKS.map(([to, label]) => (
              <li key={to}>
                <Link
                  to={to}
                  className="block rounded-lg px-3 py-2 text-sm text-ink no-underline hover:bg-raised"
                  activeProps={{ className: 'bg-accent-soft font-semibold' }}
                  activeOptions={{ includeSearch: false }}
                >
                  {label}
                </Link>
              </li>
            ))}
            <li>
              <a
                href="/docs"
                className="block rounded-lg px-3 py-2 text-sm text-ink no-underline hover:bg-raised"
              >
                {texts.navigation.api}
              </a>
            </li>
          </ul>
        </nav>
        <div className="mt-4 space-y-1 border-t border-line px-1 pt-3">
          <Select
            className={`${inputClass} text-sm!`}
            aria-label={texts.navigation.theme}
            value={theme}
            onChange={({ target }) => {
              const chosen = THEMES.find((one) => one === target.value) ?? 'system';
              chooseTheme(chosen);
              setTheme(chosen);
            }}
            options={THEMES.map(
              (one) => [one, `${texts.navigation.theme}: ${texts.navigation.themes[one]}`] as const,
            )}
          />
          <Button look="quiet" className="w-full justify-between!" onClick={onCommands}>
            {texts.navigation.commands} <kbd className="text-xs text-muted">Ctrl K</kbd>
          </Button>
          <Button look="quiet" className="w-full justify-between!" onClick={onHelp}>
            {texts.navigation.shortcuts} <kbd className="text-xs text-muted">?</kbd>
          </Button>
          <SignOut className="w-full justify-start!" run={signOut} onEnded={endSession} />
        </div>
      </div>
    </header>
  );
}
