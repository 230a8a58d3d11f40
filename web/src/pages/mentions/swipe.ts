import type { TriageAction } from './triage.ts';

/** Distance from which a finger moves a card, in pixels. */
const SLOP = 12;
/** Distance from which releasing a card does something. */
const ENOUGH = 96;

/** How far a finger has moved a card, and what releasing it does: done to the right, keep to the left. */
export interface Swipe {
  offset: number;
  action: Extract<TriageAction, 'done' | 'keep'> | null;
}

/** The swipe of a finger that moved by `x` and `y` pixels; none while it moves up or down more than sideways. */
export function swipeOf(x: number, y: number): Swipe {
  const distance = Math.abs(x);
  if (distance < SLOP || distance < Math.abs(y)) return { offset: 0, action: null };
  return { offset: x, action: distance < ENOUGH ? null : x > 0 ? 'done' : 'keep' };
}
