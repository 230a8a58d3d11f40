import { Socket } from 'node:net';
import type pg from 'pg';
import { TimeoutError } from '../common/timeout.js';

/** Milliseconds after which TCP probes an idle connection. */
const KEEP_ALIVE_MS = 10_000;

/** Options that let a connection detect that its Postgres has gone away without a reset. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS } as const;

/**
 * Options of a connection that is destroyed, and whose query fails with a {@link TimeoutError}, when nothing was sent
 * or received for `silenceMs`. When packets are dropped Postgres never answers, and if such a connection returned to
 * its pool, later queries would wait behind the lost one.
 */
export function destroyedWhenSilent(silenceMs: number): pg.ClientConfig {
  return {
    ...KEEP_ALIVE,
    stream: () => {
      const socket = new Socket();
      socket.setTimeout(silenceMs, () =>
        socket.destroy(new TimeoutError(`Postgres did not answer within ${silenceMs} ms`)),
      );
      return socket;
    },
  };
}
