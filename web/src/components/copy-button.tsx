import { texts } from '../texts.ts';
import { useBriefly } from '../use-briefly.ts';
import { Button } from './controls.tsx';

/** Puts a text into the clipboard and says so for a moment. */
export function CopyButton({ text, label = texts.common.copy }: { text: string; label?: string }) {
  const [copied, sayCopied] = useBriefly();
  return (
    <Button
      onClick={() => {
        void copy(text).then(() => sayCopied(true));
      }}
    >
      <span aria-live="polite">{copied ? texts.common.copied : label}</span>
    </Button>
  );
}

/** The clipboard exists on https and loopback only; elsewhere the older command copies a selection. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
