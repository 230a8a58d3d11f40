/** A failure with an exit code of its own; all others exit with 1. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** The command line cannot be carried out; the message says why, and the usage is printed after it. */
export class UsageError extends CommandFailure {
  constructor(message: string) {
    super(message, 2);
  }
}

/** Runs a command and leaves its exit code to the process. `usage` is printed after what is wrong with the command line. */
export async function runCommand(usage: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = reportFailure(isArgumentError(error) ? new UsageError(error.message) : error, usage);
  }
}

/**
 * Prints why a command failed as one sentence, and returns its exit code. With `--json` standard output gets
 * `{ "error": sentence }`: it is one JSON document also then.
 */
export function reportFailure(error: unknown, usage = ''): number {
  const message = messageOf(error);
  console.error(error instanceof UsageError ? `${message}\n${usage}` : message);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ error: message }));
  return error instanceof CommandFailure ? error.exitCode : 1;
}

/** What `parseArgs` throws. */
function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** A connection that failed at several addresses has the messages of its parts alone. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
