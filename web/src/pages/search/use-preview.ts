import { usePageKeys } from '../../layout/keys.ts';

interface Steps {
  /** Opens the next or the previous result. */
  step: (by: 1 | -1) => void;
  close: () => void;
  isOpen: boolean;
}

/** The keys of the side panel: J and K step, Enter opens the thread, O the original, Escape closes. */
export function usePreviewKeys({ step, close, isOpen }: Steps): void {
  usePageKeys((key) => {
    if (key === 'j') step(1);
    else if (key === 'k') step(-1);
    else if (!isOpen) return false;
    else if (key === 'Escape') close();
    else if (key === 'Enter') clickOn('[data-panel-thread] a');
    else if (key === 'o') clickOn('a[data-panel-original]');
    else return false;
    return true;
  });
}

const clickOn = (link: string): void => document.querySelector<HTMLAnchorElement>(link)?.click();
