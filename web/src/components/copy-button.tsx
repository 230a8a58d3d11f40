import { createContext, use } from 'react';
import { commonTexts } from '../texts/common.ts';
import { useBriefly } from '../timers.ts';
import { Button, type Look } from './controls.tsx';

/** Called when a text was copied; set by dialogs with secrets. */
export const CopiedContext = createContext<() => void>(() => undefined);

/** Copies a text to the clipboard and briefly confirms it. */
export function CopyButton({
  text,
  label = commonTexts.copy,
  name,
  look,
  title,
}: {
  text: string;
  label?: string;
  /** Its name where several copy buttons have the same label. */
  name?: string;
  look?: Look;
  /** Shown on pointing. */
  title?: string;
}) {
  const [copied, sayCopied] = useBriefly();
  const onCopied = use(CopiedContext);
  return (
    <Button
      aria-label={name}
      look={look}
      title={title}
      onClick={() => {
        void copy(text).then(() => {
          sayCopied(true);
          onCopied();
        });
      }}
    >
      <span aria-live="polite">{copied ? commonTexts.copied : label}</span>
    </Button>
  );
}

/** The clipboard API exists only on https and loopback; elsewhere the older command copies a selection. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
