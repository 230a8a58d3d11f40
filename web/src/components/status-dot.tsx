import type { ReactNode } from 'react';

const COLOURS = {
  good: 'text-good',
  bad: 'text-bad',
  warn: 'text-warn',
  muted: 'text-muted',
  accent: 'text-accent',
};
export type Tone = keyof typeof COLOURS;

/** A state as a coloured dot with its name. */
export function StatusDot({
  tone,
  isMoving = false,
  children,
}: {
  tone: Tone;
  isMoving?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm font-medium ${COLOURS[tone]}`}>
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full bg-current ${isMoving ? 'animate-pulse' : ''}`}
      />
      {children}
    </span>
  );
}
