import { useEffect, useRef } from 'react';

interface Steps {
  /** Opens the next or the previous result. */
  step: (by: 1 | -1) => void;
  close: () => void;
  isOpen: boolean;
}

/** The keys of the side panel: J and K step, O opens the original, Escape closes; not while typing or in a dialog. */
export function usePreviewKeys(steps: Steps): void {
  const latest = useRef(steps);
  useEffect(() => {
    latest.current = steps;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { step, close, isOpen } = latest.current;
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
      else if (event.key === 'Escape' && isOpen) close();
      else if (event.key === 'o' && isOpen)
        document.querySelector<HTMLAnchorElement>('a[data-panel-original]')?.click();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null ||
  (target instanceof HTMLElement &&
    target.closest('input:not([type="checkbox"]), textarea, select') !== null);
