import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from '../../../src/launcher/programs.js';

const START_TIMEOUT_MS = 60_000;

/** The synthetic platform in a process of its own. */
export interface BenchPlatform {
  url: string;
  stop(): void;
}

/** Starts it on a free port with additional command line options; fails when it does not listen within a minute. */
export async function startPlatform(...options: string[]): Promise<BenchPlatform> {
  const child = spawn(process.execPath, [programFile('sandbox'), '--port', '0', ...options], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  const [line] = (await once(child.stdout, 'data', { signal })) as [Buffer];
  child.stdout.resume();
  const { listening } = JSON.parse(line.toString()) as { listening: string };
  return { url: listening, stop: () => void child.kill('SIGKILL') };
}
