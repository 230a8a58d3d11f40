import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { commonTexts } from '../texts/common.ts';
import { CopiedContext } from './copy-button.tsx';

/**
 * Moves the focus to the page when the element that opened a dialog, and would get it back, no longer exists, e.g.
 * because it was deleted.
 */
function returnFocus(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    }),
  );
}

const WIDTHS = { form: 'max-w-lg', wide: 'max-w-3xl', screen: 'max-w-[min(96rem,calc(100vw-1.5rem))]' };

/**
 * A dialog over the page. Escape, the backdrop and the close button call `onClose`, but not before a secret that is
 * shown `once` was copied: they say what to do instead.
 */
export function Modal({
  title,
  size = 'form',
  hasFooter = false,
  once,
  onClose,
  children,
}: {
  title: string;
  size?: keyof typeof WIDTHS;
  /** Whether the content ends with a bar of buttons that reaches the edges. */
  hasFooter?: boolean;
  once?: string | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  const [copied, setCopied] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const isKept = once !== undefined && copied !== once;
  const leave = (): void => (isKept ? setAsked(true) : onClose());
  const keep = (): void => setCopied(once);
  useEffect(() => returnFocus, []);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && leave()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-canvas/70 backdrop-blur-[2px]" />
        <Dialog.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>('input, textarea, select') ?? true}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[92dvh] w-[calc(100vw-1.5rem)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-2xl border border-line bg-surface text-ink shadow-2xl ${WIDTHS[size]}`}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <Dialog.Title className="text-lg font-semibold [overflow-wrap:anywhere]">{title}</Dialog.Title>
            <Dialog.Close
              aria-label={commonTexts.close}
              className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-raised"
            >
              <X className="size-4" />
            </Dialog.Close>
          </div>
          <div className={`-mt-1 min-h-0 overflow-y-auto px-5 pt-1 ${hasFooter ? '' : 'pb-5'}`} onCopy={keep}>
            {isKept && isAsked && (
              <p role="alert" className="mb-3 text-sm text-bad">
                {commonTexts.notCopied}
              </p>
            )}
            <CopiedContext value={keep}>{children}</CopiedContext>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
