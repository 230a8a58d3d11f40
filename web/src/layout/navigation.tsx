import { Link, useRouterState } from '@tanstack/react-router';
import { BookOpen, Command, Keyboard, MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { endSession } from '../api/query-client.ts';
import { isPerson, type Session, signOut, useSession } from '../api/session.ts';
import { Button } from '../components/controls.tsx';
import { sendDeletions } from '../components/undo.ts';
import { discardDrafts } from '../components/use-form.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { type Count, useCounts } from './counts.ts';
import { isForOwners, LINK_GROUPS } from './links.ts';
import { SavedSearches } from './saved-searches.tsx';
import { SignOut } from './sign-out.tsx';
import { ThemeChoice } from './theme-choice.tsx';

const navigationLink =
  'flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left text-[13px] text-ink no-underline hover:bg-raised';

interface Tools {
  session: Session;
  onCommands: () => void;
  onHelp: () => void;
}

/** The name of the workspace, and the navigation below it; on narrow screens a button shows it. */
export function Navigation(tools: Tools) {
  const [expanded, setExpanded] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setExpanded(false), [path]);
  return (
    <header className="z-30 border-line bg-surface max-lg:border-b lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r">
      <div className="flex items-center justify-between gap-3 px-4 py-3">
        <Link to="/" className="flex min-w-0 items-center gap-2 font-semibold text-ink no-underline">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span className="truncate">{tools.session.workspace_name}</span>
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
        <PageLinks />
        <NavigationTools {...tools} />
      </div>
    </header>
  );
}

function PageLinks() {
  const counts = useCounts();
  const isOwner = useSession().allows('admin');
  return (
    <nav aria-label={navigationTexts.label}>
      {LINK_GROUPS.map(({ title, links }) => (
        <div key={title} className="mb-3">
          {title !== null && (
            <p className="px-2.5 pt-1 pb-1 text-[11px] font-semibold tracking-wide text-muted uppercase">
              {title}
            </p>
          )}
          <ul aria-label={title ?? undefined} className="space-y-px">
            {[...links]
              .filter(({ to }) => isOwner || !isForOwners(to))
              .map(({ to, label, Icon }) => (
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
  );
}

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

/** The choice of colours, the documentation, the commands and the end of the session. */
function NavigationTools({ session, onCommands, onHelp }: Tools) {
  return (
    <div className="mt-2 space-y-px border-t border-line pt-3">
      <ThemeChoice className="mb-2" />
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
        onEnded={() => (isPerson(session) ? location.assign('/api/v1/session/oidc/sign-out') : endSession())}
      />
    </div>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="ml-auto text-[11px] text-muted">{children}</kbd>;
}
