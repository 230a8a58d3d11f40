import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { buttonClass } from '../components/controls.tsx';
import { Loading } from '../components/states.tsx';
import { commonTexts } from '../texts/common.ts';

/** Lets keyboard users skip the navigation; visible when focused. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className={`${buttonClass('primary')} fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0`}
    >
      {commonTexts.skip}
    </a>
  );
}

/** The current page. It gets the focus after a change of page, so that a screen reader continues there. */
export function MainContent() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    // The first page keeps the browser's default focus.
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
