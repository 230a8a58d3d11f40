import { ApiError } from '#client/errors.ts';

/** Whether a retry may succeed: broken connections, 429 and 5xx. Other refusals are final. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
