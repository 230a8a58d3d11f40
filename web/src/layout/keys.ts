import { useLayoutEffect, useRef } from 'react';

/** What lies over the page: dialogs, and places of dialogs whose files are being loaded. */
const LAYERS = '[role="dialog"], [role="alertdialog"], [data-layer-loading]';
const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** Whether a dialog lies over the page, or is about to; it gets all keys. */
export const isCovered = (): boolean => document.querySelector(LAYERS) !== null;

/** Whether a key belongs to the page: nothing covers it, and no field or link takes the key. */
function isForPage({ ctrlKey, metaKey, altKey, key, target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || isCovered()) return false;
  const takers = key === 'Enter' ? `${FIELDS}, a, button, summary` : FIELDS;
  return !(target instanceof Element && target.closest(takers) !== null);
}

/** The name of a key whatever Shift and Caps Lock do to a letter. */
const lowerCase = (key: string): string => (key.length === 1 ? key.toLowerCase() : key);

/**
 * Calls `act` with the keys that belong to the page; it returns whether it used the key. The keys of all pages come
 * before those of one page.
 */
export function usePageKeys(act: (key: string) => boolean, isOfAllPages = false): void {
  const latest = useRef(act);
  // Layout effects, because the keys work as soon as the page is shown.
  useLayoutEffect(() => {
    latest.current = act;
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isForPage(event) && latest.current(lowerCase(event.key))) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown, isOfAllPages);
    return () => document.removeEventListener('keydown', onKeyDown, isOfAllPages);
  }, [isOfAllPages]);
}
