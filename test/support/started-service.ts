import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { StartLine } from '../../src/launcher/harness.js';

const PROGRAM = join(import.meta.dirname, 'start-run.js');

/** A process of `npm start -- --json`, with its output. */
export interface StartedService {
  line: Record<keyof StartLine, string>;
  child: ChildProcess;
  /** Every line on standard output so far. */
  lines: string[];
  /** Resolves with the exit code when the process has ended. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the launcher with these arguments and waits for its line; fails with its standard error when it exits before.
 */
export async function startFromCommand(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<StartedService> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const reader = createInterface({ input: child.stdout });
  const first = once(reader, 'line');
  reader.on('line', (line) => lines.push(line));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The service ended with ${code}: ${errors}`);
  });
  const [text] = (await Promise.race([first, ended])) as [string];
  ended.catch(() => undefined);
  return {
    line: JSON.parse(text) as StartedService['line'],
    child,
    lines,
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
