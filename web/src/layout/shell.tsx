import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { BookOpen, Command, Keyboard, MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { endSession } from '../api/query-client.ts';
import { isPerson, type Session, SessionContext, sessionQuery, signOut } from '../api/session.ts';
import { Button, inputClass, Select } from '../components/controls.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { sendDeletions } from '../components/undo.ts';
import { discardDrafts } from '../components/use-form.ts';
import { SignIn } from '../pages/sign-in.tsx';
import { navigationTexts } from '../texts/navigation.ts';
import { chooseTheme, chosenTheme, type Theme, THEMES } from '../theme.ts';
import { type Count, useCounts } from './counts.ts';
import { LINK_GROUPS } from './links.ts';
import { MainContent, SkipLink } from './main-content.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { useShortcuts } from './shortcuts.ts';
import { SignOut } from './sign-out.tsx';
import { UndoBar } from './undo-bar.tsx';

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
      <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_1fr]">
        <Navigation session={session} onCommands={() => setOpen('palette')} onHelp={() => setOpen('help')} />
        <MainContent />
      </div>
      <UndoBar />
      <Suspense>
        {open === 'palette' && <CommandPalette onClose={() => setOpen(null)} />}
        {open === 'help' && <ShortcutsHelp onClose={() => setOpen(null)} />}
      </Suspense>
    </SessionContext>
  );
}

const navigationLink =
  'flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left text-[13px] text-ink no-underline hover:bg-raised';

function CountBadge({ count: { shown, meaning } }: { count: Count }) {
  return (
    <span
      title={meaning}
      className="ml-auto rounded-full bg-fresh-soft px-1.5 text-[11px] font-semibold text-fresh tabular-nums"
    >
      <span aria-hidden="true">{shown}</span>
      <span className="sr-only">{meaning}</span>
    </span>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="ml-auto text-[11px] text-muted">{children}</kbd>;
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
  const counts = useCounts();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setExpanded(false), [path]);
  return (
    <header className="z-30 border-line bg-surface max-lg:border-b lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r">
      <div className="flex items-center justify-between gap-3 px-4 py-3">
        <Link to="/" className="flex min-w-0 items-center gap-2 font-semibold text-ink no-underline">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span className="truncate">{session.workspace_name}</span>
        </Link>
        <Button
          className="lg:hidden"
          aria-expanded={expanded}
          aria-controls="navigation"
          onClick={() => setExpanded(!expanded)}
        >
          <MenuIcon className="size-4" />
          {navigationTexts.menu}
        </Button>
      </div>
      <div
        id="navigation"
        className={`flex-1 flex-col justify-between overflow-y-auto px-2 pb-3 lg:flex ${expanded ? 'flex' : 'max-lg:hidden'}`}
      >
        <nav aria-label={navigationTexts.label}>
          {LINK_GROUPS.map(({ title, links }) => (
            <div key={title} className="mb-3">
              {title !== null && (
                <p className="px-2.5 pt-1 pb-1 text-[11px] font-semibold tracking-wide text-muted uppercase">
                  {title}
                </p>
              )}
              <ul aria-label={title ?? undefined} className="space-y-px">
                {links.map(({ to, label, Icon }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className={navigationLink}
                      activeProps={{ className: 'bg-accent-soft font-semibold' }}
                      activeOptions={{ includeSearch: false, exact: to === '/' }}
                    >
                      <Icon className="size-4 shrink-0 text-muted" />
                      {label}
                      {counts[to] !== undefined && <CountBadge count={counts[to]} />}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {/* Last, so that nothing moves when they arrive. */}
          <SavedSearches />
        </nav>
        <div className="mt-2 space-y-px border-t border-line pt-3">
          <Select
            className={`${inputClass} mb-2 text-[13px]!`}
            aria-label={navigationTexts.theme}
            value={theme}
            onChange={({ target }) => {
              const chosen = THEMES.find((one) => one === target.value) ?? 'system';
              chooseTheme(chosen);
              setTheme(chosen);
            }}
            options={THEMES.map(
              (one) => [one, `${navigationTexts.theme}: ${navigationTexts.themes[one]}`] as const,
            )}
          />
          <a href="/docs" className={navigationLink}>
            <BookOpen className="size-4 shrink-0 text-muted" />
            {navigationTexts.api}
          </a>
          <button type="button" className={navigationLink} onClick={onCommands}>
            <Command className="size-4 shrink-0 text-muted" />
            {navigationTexts.commands} <Key>Ctrl K</Key>
          </button>
          <button type="button" className={navigationLink} onClick={onHelp}>
            <Keyboard className="size-4 shrink-0 text-muted" />
            {navigationTexts.shortcuts} <Key>?</Key>
          </button>
          <SignOut
            className="w-full justify-start! gap-2.5! px-[calc(0.625rem-1px)]! py-1.5! font-normal!"
            run={async () => {
              await sendDeletions();
              await signOut();
              discardDrafts();
            }}
            // An account also signs out at its identity provider; the name of an API key is no address.
            onEnded={() =>
              isPerson(session) ? location.assign('/api/v1/session/oidc/sign-out') : endSession()
            }
          />
        </div>
      </div>
    </header>
  );
}
