/**
 * Runs a command and leaves its exit code to the process. A failure is printed as its message alone, and `codeOf` gives its
 * exit code.
 */
export async function runCommand(
  main: () => Promise<number>,
  codeOf: (error: unknown) => number = () => 1,
): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = codeOf(error);
  }
}
