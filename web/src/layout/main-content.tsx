import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { Loading } from '../components/states.tsx';

/** The page of the address. After a change of the page it has the focus, so that a screen reader goes on there. */
export function MainContent() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    // The first page keeps the browser's own focus.
    if (shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  return (
    <main id="main" ref={main} tabIndex={-1} className="min-w-0 outline-none">
      <Suspense
        fallback={
          <div className="mx-auto max-w-6xl p-6">
            <Loading />
          </div>
        }
      >
        <Outlet />
      </Suspense>
    </main>
  );
}
