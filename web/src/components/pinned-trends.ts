import { useState } from 'react';
import { readTrendsState, type TrendsState } from '../pages/trends/trends-state.ts';

const MOST_PINS = 6;

/** Reads stored pins; none when they are damaged. */
export function parsePins(text: string | null): TrendsState[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored)
      ? stored
          .filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
          .slice(0, MOST_PINS)
          .map(readTrendsState)
      : [];
  } catch {
    return [];
  }
}

const nameOf = (state: TrendsState): string => JSON.stringify(Object.entries(state).toSorted());

/** The trends that Home of a workspace shows in this browser, and what pins one or removes it; at most six. */
export function usePins(workspace: string): {
  pins: readonly TrendsState[];
  isPinned: (state: TrendsState) => boolean;
  toggle: (state: TrendsState) => void;
} {
  const name = `pins ${workspace}`;
  const [pins, setPins] = useState(() => parsePins(localStorage.getItem(name)));
  const isPinned = (state: TrendsState): boolean => pins.some((pin) => nameOf(pin) === nameOf(state));
  return {
    pins,
    isPinned,
    toggle: (state) => {
      const others = pins.filter((pin) => nameOf(pin) !== nameOf(state));
      const next = isPinned(state) ? others : [...others, state].slice(-MOST_PINS);
      localStorage.setItem(name, JSON.stringify(next));
      setPins(next);
    },
  };
}
