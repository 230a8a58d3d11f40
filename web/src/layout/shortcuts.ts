import { useLayoutEffect, useRef } from 'react';

const PAGES = {
  h: '/',
  m: '/mentions',
  s: '/search',
  t: '/trends',
  j: '/jobs',
  c: '/schedules',
  a: '/alerts',
  w: '/webhooks',
  e: '/exports',
  ',': '/settings',
} as const;
type Page = (typeof PAGES)[keyof typeof PAGES];

/** How long after `g` the second key is accepted. */
const SEQUENCE_MS = 1_500;

interface Actions {
  palette: () => void;
  help: () => void;
  go: (to: Page) => void;
}

/** Keyboard shortcuts that work on every page, except while typing text or while a dialog is open. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  // Layout effects, because the keys work as soon as the page is shown.
  useLayoutEffect(() => {
    latest.current = actions;
  });
  useLayoutEffect(() => {
    let goUntil = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { palette, help, go } = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        // A command opens another page, so the form in a dialog would lose its input.
        if (!isDialogOpen()) palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const page = PAGES[event.key as keyof typeof PAGES];
      if (performance.now() < goUntil && page !== undefined) go(page);
      else if (event.key === '/') focusSearch(go);
      else if (event.key === '?') help();
      else {
        goUntil = event.key === 'g' ? performance.now() + SEQUENCE_MS : 0;
        return;
      }
      goUntil = 0;
      event.preventDefault();
    };
    // Before the keys of a page, which ignore what is handled here.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

/** Whether keys belong to a field or a dialog. */
export function isBusy(target: EventTarget | null): boolean {
  return (
    (target instanceof HTMLElement &&
      target.closest('input, textarea, select, [contenteditable]') !== null) ||
    isDialogOpen()
  );
}

/** Whether a dialog is shown, which keeps the focus. */
export const isDialogOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** The search page focuses its field when it appears. */
function focusSearch(go: Actions['go']): void {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (field) field.select();
  else go('/search');
}
