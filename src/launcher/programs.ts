import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMPILED = join(import.meta.dirname, '..');
const COMMAND_TIMEOUT_MS = 300_000;

/** Every module that is started by path instead of being imported, relative to `src`. */
const PROGRAMS = {
  service: 'main.js',
  supervised: 'supervised.js',
  sandbox: 'sandbox/main.js',
  migrate: 'cli/migrate.js',
  watchdog: 'launcher/watchdog.js',
} as const;
export type Program = keyof typeof PROGRAMS;

/**
 * Node.js options of every process of the service. With a heap limit of 1 GB or more, V8 lets the heap grow to several
 * times its used size before collecting garbage. A lower limit saves a third of the memory, and a larger young
 * generation makes up for the extra time.
 */
export const NODE_OPTIONS: readonly string[] = ['--max-old-space-size=1000', '--max-semi-space-size=32'];

/**
 * Variables of every process of the service. glibc otherwise returns freed memory to the system at once, and the page
 * faults of getting it back cost a quarter of the processor time of a page of posts (docs/benchmarks.md). Other C
 * libraries ignore them.
 */
export const MEMORY_VARIABLES = {
  MALLOC_MMAP_THRESHOLD_: '4194304',
  MALLOC_TOP_PAD_: '4194304',
  MALLOC_TRIM_THRESHOLD_: '16777216',
} as const;

/** The compiled file of a program. */
export const programFile = (program: Program): string => join(COMPILED, PROGRAMS[program]);

/** Runs a program in this process. */
export async function importProgram(program: Program): Promise<void> {
  await import(pathToFileURL(programFile(program)).href);
}

/**
 * Starts a program as a child in its own process group, so that Ctrl-C reaches only this process, which then ends its
 * children in order.
 */
export function spawnProgram(
  program: Program,
  options: {
    nodeOptions?: readonly string[];
    args?: readonly string[];
    env: NodeJS.ProcessEnv;
    stdio: StdioOptions;
    cwd?: string;
  },
): ChildProcess {
  const { nodeOptions = [], args = [], ...rest } = options;
  return spawn(process.execPath, [...nodeOptions, programFile(program), ...args], {
    ...rest,
    detached: true,
  });
}

/** Runs a program to its end, for at most 5 minutes. A failure throws with its standard error. */
export async function runProgram(program: Program, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await run(process.execPath, [programFile(program)], { env, timeout: COMMAND_TIMEOUT_MS });
  } catch (error) {
    throw new Error(`${PROGRAMS[program]} failed: ${(error as { stderr?: string }).stderr?.trim()}`, {
      cause: error,
    });
  }
}
