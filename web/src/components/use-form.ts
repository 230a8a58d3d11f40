import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { newIdempotencyKey } from '../api/jobs.ts';
import { useStable } from '../timers.ts';
import { fieldError } from './states.tsx';

/** Inputs of forms that were left without sending, by form; kept until the page is reloaded or the session ends. */
const drafts = new Map<string, unknown>();
const MOST_DRAFTS = 20;

/** Forgets all inputs that were left without sending. */
export const discardDrafts = (): void => drafts.clear();

/** What a form holds and how its request goes. */
export interface FormState<T, R = unknown> {
  value: T;
  /** Changes some of the value; keeps its identity. */
  change: (changes: Partial<T>) => void;
  /** The refusal of the request. */
  error: Error | null;
  /** The message for one field, from the refusal. */
  errorOf: (field: string) => string | undefined;
  isPending: boolean;
  /** What was answered; undefined until then. */
  result: R | undefined;
  /** Whether it began with input that was left without sending. */
  isRestored: boolean;
  /** Sends the request, and resolves when it is over. */
  submit: () => Promise<void>;
  /** Forgets the input. */
  discard: () => void;
}

/**
 * The state of a form: its value, which survives when its dialog is left by Escape or a click outside, and its request,
 * which is repeated safely while the value stays the same.
 */
export function useForm<T extends object, R>({
  draft,
  initial,
  send,
  onSent,
}: {
  /** The name under which the input is kept, with the workspace and the record; without it, nothing is kept. */
  draft?: string;
  initial: T | (() => T);
  send: (value: T, idempotencyKey: string) => Promise<R>;
  onSent?: (result: R, value: T) => unknown;
}): FormState<T, R> {
  const [isRestored] = useState(() => draft !== undefined && drafts.has(draft));
  const [value, setValue] = useState<T>(() =>
    draft !== undefined && drafts.has(draft)
      ? (drafts.get(draft) as T)
      : typeof initial === 'function'
        ? initial()
        : initial,
  );
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const discard = (): void => void (draft !== undefined && drafts.delete(draft));
  const request = useMutation({
    mutationFn: () => send(value, idempotencyKey),
    onSuccess: async (result) => {
      discard();
      await onSent?.(result, value);
    },
    // The answer may hold a secret.
    gcTime: 0,
  });
  const change = useStable((changes: Partial<T>) => {
    setValue((before) => {
      const after = { ...before, ...changes };
      if (draft !== undefined) {
        if (drafts.size >= MOST_DRAFTS && !drafts.has(draft)) drafts.clear();
        drafts.set(draft, after);
      }
      return after;
    });
    setIdempotencyKey(newIdempotencyKey());
  });
  return {
    value,
    change,
    error: request.error,
    errorOf: (field) => fieldError(request.error, field),
    isPending: request.isPending,
    result: request.data,
    isRestored,
    submit: () =>
      request.mutateAsync().then(
        () => undefined,
        // Shown as `error`.
        () => undefined,
      ),
    discard,
  };
}
