/** Result of one check. A `problem` keeps the service from working, a `warning` may, and `skipped` names why nothing was checked. */
export interface Finding {
  /** Stable name of what was checked, e.g. `encryption_key`. */
  check: string;
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  message: string;
  /** What to do about a problem or a warning. */
  remedy?: string;
}

/** A check that found nothing wrong. */
export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
/** A check that does not apply, and why. */
export const skipped = (check: string, message: string): Finding => ({ check, status: 'skipped', message });
/** Something that may keep the service from working. */
export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
});
/** Something that keeps the service from working. */
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
