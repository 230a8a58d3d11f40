import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The start time of the process with this id, as a text that is unique among processes with the same id; null when none
 * runs. A zombie counts as ended: it has released its resources and only waits for its parent to read its exit code.
 */
export async function startOfProcess(pid: number): Promise<string | null> {
  if (platform() === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    return stat === null ? null : startFromStat(stat, bootId());
  }
  // `ps` fails when there is no such process.
  const line = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
}

/** Reads the start time from `/proc/PID/stat`, in which the name may contain spaces and parentheses; null for a zombie. */
export function startFromStat(stat: string, boot: string): string | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  return state === 'Z' || state === 'X' || startTicks === undefined ? null : `${boot}:${startTicks}`;
}

/** Whether the process with this id and start time is running. */
export async function isRunning(pid: number, startedAt: string): Promise<boolean> {
  return (await startOfProcess(pid)) === startedAt;
}

/** The command line of a running process, "" when it cannot be read. */
export async function commandLine(pid: number): Promise<string> {
  if (platform() === 'linux')
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text.replaceAll('\0', ' ').trim(),
      () => '',
    );
  return run('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}

/** The file name of a running process's program, "" when it cannot be read. Linux only. */
export async function executableOf(pid: number): Promise<string> {
  const path = await readlink(`/proc/${pid}/exe`).catch(() => '');
  // The file may be replaced by an update while the process runs.
  return basename(path.replace(/ \(deleted\)$/, ''));
}

/** Ids of the processes whose working directory is this folder. Linux only; elsewhere the list is empty. */
export async function processesWorkingIn(folder: string): Promise<number[]> {
  if (platform() !== 'linux') return [];
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    if ((await readlink(`/proc/${name}/cwd`).catch(() => '')) === folder) found.push(Number(name));
  }
  return found;
}

/** Sends the signal; does nothing when the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

let boot: string | undefined;
function bootId(): string {
  // Ticks count from boot, so after a reboot the same pair of id and ticks can occur.
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}
