import { useLayoutEffect, useRef } from 'react';
import { useStable } from '../timers.ts';
import { isCovered, usePageKeys } from './keys.ts';
import { LINKS, type PagePath } from './links.ts';

/** How long after `g` the second key is accepted. */
const SEQUENCE_MS = 1_500;

interface Actions {
  palette: () => void;
  help: () => void;
  go: (to: PagePath) => void;
}

/** Keyboard shortcuts that work on every page, except while typing text or while a dialog is open. */
export function useShortcuts({ palette, help, go }: Actions): void {
  const open = useStable(palette);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // A command opens another page, so the form in a dialog would lose its input.
      if (!isCovered()) open();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [open]);
  const goUntil = useRef(0);
  usePageKeys((key) => {
    const page = performance.now() < goUntil.current && LINKS.find((link) => link.key === key);
    goUntil.current = key === 'g' && !page ? performance.now() + SEQUENCE_MS : 0;
    if (page) go(page.to);
    else if (key === '/') focusSearch(go);
    else if (key === '?') help();
    else return false;
    return true;
  }, true);
}

/** The search page focuses its field when it appears. */
function focusSearch(go: Actions['go']): void {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (field) field.select();
  else go('/search');
}
