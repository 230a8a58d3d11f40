import { type ReactNode, Suspense, useLayoutEffect } from 'react';
import { useStable } from '../timers.ts';

/** What was typed for the dialog that is being loaded. */
let typed = '';

/** The text that was typed while a dialog was being loaded, for its first field; once. */
export function takeTyped(): string {
  const text = typed;
  typed = '';
  return text;
}

/** The place of a dialog whose file is loaded on demand. From then on keys belong to it: none acts on the page behind. */
export function Layer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return <Suspense fallback={<LayerLoading onClose={onClose} />}>{children}</Suspense>;
}

function LayerLoading({ onClose }: { onClose: () => void }) {
  const close = useStable(onClose);
  useLayoutEffect(() => {
    typed = '';
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (key === 'Escape') close();
      else if (key === 'Backspace') typed = typed.slice(0, -1);
      else if (key.length === 1) typed += key;
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [close]);
  return <span data-layer-loading hidden />;
}
