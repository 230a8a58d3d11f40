import { CommandFailure } from './run-command.js';

const INTERRUPTED_EXIT_CODE = 130;

/** A command was stopped by a signal, and continues when it is run again. */
export class Interrupted extends CommandFailure {
  constructor() {
    super('Stopped; run the same command again to continue from here', INTERRUPTED_EXIT_CODE);
  }
}

/**
 * Aborts with {@link Interrupted} on SIGINT and SIGTERM. A terminal signals both the command and npm, which forwards the
 * signal; the second one does not end the command at once.
 */
export function interruption(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new Interrupted());
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return stop.signal;
}
