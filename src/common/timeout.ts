/** A wait reached its time limit; `code` is the one that sockets use for timeouts. */
export class TimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Resolves or rejects as `work` does, but rejects when `work` has not settled after `milliseconds`. The work itself
 * is not stopped.
 *
 * @param expired the message of the {@link TimeoutError}, or a function that makes another error
 */
export async function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number,
  expired: string | (() => Error),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(typeof expired === 'string' ? new TimeoutError(expired) : expired()),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
