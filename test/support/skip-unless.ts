/** Begins the title of a block whose tests are skipped; the reason follows. */
export const SKIPPED = 'skipped: ';

/** Blocks and tests that run, or that are skipped for a reason. */
export interface Skippable {
  describe: jest.Describe;
  it: jest.It;
}

/**
 * `describe` and `it` where a condition holds. Elsewhere the same calls register skipped tests below a title with the
 * reason, by which `test/skip-reporter.mjs` names them at the end of a run. The body of a skipped `describe`
 * runs, because its tests are counted.
 */
export function skipUnless(condition: boolean, reason: string): Skippable {
  return condition ? { describe, it } : { describe: skipping(describe, reason), it: skipping(it, reason) };
}

/** `describe` and `it` for what only Linux has, such as `/proc` and the `flock` command. */
export const onLinux = (): Skippable =>
  skipUnless(process.platform === 'linux', 'this machine does not run Linux');

type Register = (...args: unknown[]) => void;

function skipping<T extends jest.Describe | jest.It>(block: T, reason: string): T {
  const below = (register: () => void): void => describe.skip(SKIPPED + reason, register);
  const { each } = block as unknown as { each: (...table: unknown[]) => Register };
  const skipped: Register = (...args) => below(() => (block as unknown as Register)(...args));
  return Object.assign(skipped, {
    each:
      (...table: unknown[]): Register =>
      (...args) =>
        below(() => each(...table)(...args)),
  }) as unknown as T;
}
