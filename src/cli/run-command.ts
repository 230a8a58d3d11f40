import { startFailureSentence } from '../config/start-failure.js';

const MISTAKE_EXIT_CODE = 2;

/** The command line is invalid; the message gives the reason, and the usage is printed after it. */
export class UsageError extends Error {}

/** A failure with its own exit code; all others exit with 1. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Runs a command and sets the exit code of the process; see {@link reportFailure}. With `--help` it only prints its usage. */
export async function runCommand(usage: string, main: () => Promise<number>): Promise<void> {
  if (process.argv.includes('--help')) return console.log(usage);
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = reportFailure(error, usage);
  }
}

/**
 * Prints why a command failed, with its usage when the command line is wrong, and returns the exit code. With `--json`
 * standard output gets `{ "error": message }`, so that it is one JSON document even then.
 */
export function reportFailure(error: unknown, usage = ''): number {
  const message = messageOf(error);
  console.error(isMistake(error) ? `${message}\n${usage}` : message);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ error: message }));
  if (isMistake(error)) return MISTAKE_EXIT_CODE;
  return error instanceof CommandFailure ? error.exitCode : 1;
}

/** Whether the command line is wrong: an option that `parseArgs` does not know, or a {@link UsageError}. */
export function isMistake(error: unknown): boolean {
  return (
    error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
  );
}

/** A connection that failed at several addresses has messages only in its parts. */
function messageOf(error: unknown): string {
  const { message, errors } = (error ?? {}) as { message?: string; errors?: unknown[] };
  if (message === undefined) return String(error);
  if (message === '' && errors?.[0] !== undefined) return messageOf(errors[0]);
  return startFailureSentence(error) ?? message;
}
