/**
 * Result of a check. A `problem` prevents the service from working, a `warning` may, and `skipped` gives the reason why
 * nothing was checked.
 */
export interface Finding {
  /** Stable name of the check, e.g. `encryption_key`. */
  check: string;
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  message: string;
  /** Remedy of a problem or a warning. */
  remedy?: string;
}

/** A check that found no problem. */
export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
/** A check that does not apply, and why. */
export const skipped = (check: string, message: string): Finding => ({ check, status: 'skipped', message });
/** A condition that may prevent the service from working. */
export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
});
/** A condition that prevents the service from working. */
export const problem = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'problem',
  message,
  remedy,
});

/** The first line of an error's message, or its code. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' ? message.split('\n', 1)[0]! : '';
  return text || (typeof code === 'string' ? code : 'no answer');
}
