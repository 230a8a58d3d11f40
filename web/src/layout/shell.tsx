import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { type Session, SessionContext, sessionQuery } from '../api/session.ts';
import { Layer } from '../components/layer.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { SignIn } from '../pages/sign-in.tsx';
import { MainContent, SkipLink } from './main-content.tsx';
import { Navigation } from './navigation.tsx';
import { useShortcuts } from './shortcuts.ts';
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
  const close = (): void => setOpen(null);
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
      <Layer onClose={close}>
        {open === 'palette' && <CommandPalette onClose={close} />}
        {open === 'help' && <ShortcutsHelp onClose={close} />}
      </Layer>
    </SessionContext>
  );
}
