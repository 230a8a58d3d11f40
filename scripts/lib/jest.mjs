/**
 * Runs Jest in this process, so that killing the command ends the test run. Tests run compiled, but are selected by the
 * names of their sources.
 */
export async function runJest(args) {
  const { run } = await import('jest');
  await run(args.map((argument) => argument.replace(/\.ts$/, '.js')));
}
