import { PollingLoop } from './polling-loop.js';

const HEARTBEAT_MS = 1_000;

/** Another worker has the lease: later writes of this one do not count. */
export class LeaseLost extends Error {}

/** The process is stopping or the workspace is suspended: the work continues later. */
export class WorkPaused extends Error {}

/** A lease that this process holds. */
export interface HeldLease {
  /** Renews it; false when another worker has it. */
  prolong: () => Promise<boolean>;
  /** Whether its workspace is suspended. */
  isSuspended: () => boolean;
  /** Receives the error of a renewal, which is repeated. */
  onError: (error: unknown) => void;
}

/**
 * Does work while its lease is renewed every second. The aborter is aborted with {@link LeaseLost} or
 * {@link WorkPaused} when the lease is lost or the workspace suspended.
 */
export async function whileLeased<T>(
  lease: HeldLease,
  aborter: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const heartbeat = new PollingLoop(
    async () => {
      if (lease.isSuspended()) aborter.abort(new WorkPaused());
      else if (!(await lease.prolong())) aborter.abort(new LeaseLost());
      return false;
    },
    HEARTBEAT_MS,
    lease.onError,
  );
  heartbeat.wake();
  try {
    return await work();
  } finally {
    await heartbeat.stop();
  }
}
