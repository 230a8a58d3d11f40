import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const INSTALL_TIMEOUT_MS = 300_000;
const EXTRA_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin'];

/** A program that runs as a Redis server when started with argv[0] `redis-server`; null when there is none. */
export async function findRedis(): Promise<string | null> {
  // Debian's redis-tools contains the server under the name of its checker, and enables no system service.
  return (await findProgram('redis-server')) ?? (await findProgram('redis-check-rdb'));
}

/** Finds Redis or installs it. Throws with a sentence for the operator when neither is possible. */
export async function requireRedis(log: (line: string) => void): Promise<string> {
  const found = await findRedis();
  if (found !== null) return found;
  for (const steps of await waysToInstall()) {
    log(`redis-server is not installed; running: ${steps.map((step) => step.join(' ')).join(' && ')}`);
    let done = true;
    for (const step of steps) done &&= await succeeds(step);
    const installed = done ? await findRedis() : null;
    if (installed !== null) return installed;
  }
  throw new Error(
    'Redis is required, but redis-server was not found and could not be installed with apt or brew. ' +
      'Install it yourself ("apt-get install redis-tools" or "brew install redis"), or set REDIS_URL to your own Redis',
  );
}

/** Command sequences to try in order; the second updates the package list first, which new images lack. */
async function waysToInstall(): Promise<string[][][]> {
  if ((await findProgram('apt-get')) !== null) {
    const root = process.getuid?.() === 0;
    if (root || (await findProgram('sudo')) !== null) {
      // Without a terminal no password can be typed, so sudo must not prompt for one.
      const prefix = root ? [] : process.stdin.isTTY ? ['sudo'] : ['sudo', '-n'];
      const install = [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', 'redis-tools'];
      return [[install], [[...prefix, 'apt-get', 'update'], install]];
    }
  }
  return (await findProgram('brew')) === null ? [] : [[['brew', 'install', 'redis']]];
}

async function succeeds([command, ...args]: string[]): Promise<boolean> {
  const child = spawn(command!, args, {
    // Standard output is reserved for the result of the command, e.g. its JSON.
    stdio: ['inherit', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', HOMEBREW_NO_AUTO_UPDATE: '1' },
    timeout: INSTALL_TIMEOUT_MS,
  });
  const [code] = (await once(child, 'exit').catch(() => [null])) as [number | null];
  return code === 0;
}

async function findProgram(name: string): Promise<string | null> {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...EXTRA_FOLDERS];
  for (const folder of folders) {
    const file = join(folder, name);
    const runnable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runnable) return file;
  }
  return null;
}
