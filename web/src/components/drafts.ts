import { type Dispatch, type SetStateAction, useState } from 'react';

/** Inputs of dialogs that were left without saving, by form; kept until the page is reloaded. */
const drafts = new Map<string, unknown>();
const MOST_DRAFTS = 20;

/**
 * The input of a form, which survives when its dialog is left by Escape or a click outside. `discard` forgets it, after
 * saving or cancelling; `isRestored` says that it began with earlier input. `form` names the form and its workspace.
 */
export function useDraft<T>(
  form: string,
  initial: T,
): { value: T; change: Dispatch<SetStateAction<T>>; discard: () => void; isRestored: boolean } {
  const [isRestored] = useState(() => drafts.has(form));
  const [value, setValue] = useState<T>(() => (drafts.has(form) ? (drafts.get(form) as T) : initial));
  const change: Dispatch<SetStateAction<T>> = (next) =>
    setValue((before) => {
      const after = typeof next === 'function' ? (next as (before: T) => T)(before) : next;
      if (drafts.size >= MOST_DRAFTS && !drafts.has(form)) drafts.clear();
      drafts.set(form, after);
      return after;
    });
  return { value, change, discard: () => void drafts.delete(form), isRestored };
}
