import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning, startOfProcess } from './process-identity.js';
import type { Watchdog } from './watchdog-client.js';

const PID_FILE = 'service.lock';
const KERNEL_LOCK_FILE = 'service.flock';
const ATTEMPTS = 10;
/** After a service was killed, the kernel's lock is freed once its watchdog has ended the servers. */
const KERNEL_LOCK_WAIT_MS = 10_000;

const holderShape = z.object({ pid: z.number().int().positive(), startedAt: z.string() });

/** Another service uses this folder. The message is for the operator. */
export class DataDirInUseError extends Error {
  constructor(
    readonly dataDir: string,
    holder: string,
  ) {
    super(
      `Another service (${holder}) is using the data folder ${dataDir}. ` +
        `Stop it first, or choose another folder: DATA_DIR=/some/other/folder`,
    );
  }
}

/** Held by this process until {@link DataDirLock.release}, and freed automatically when this process ends. */
export interface DataDirLock {
  release(): Promise<void>;
}

/**
 * Takes the exclusive lock of a data folder. Throws {@link DataDirInUseError} when a running process has it.
 *
 * There are two locks. The kernel's lock on a file works between containers that share the folder, and lasts until the
 * servers of a killed service have ended. The pid file names the owner on this machine; it is the only lock where there
 * is no `flock` command (macOS) or the file system does not support locks.
 */
export async function lockDataDir(dataDir: string, watchdog: Watchdog): Promise<DataDirLock> {
  const running = await dataDirHolder(dataDir);
  if (running !== null) throw new DataDirInUseError(dataDir, `process ${running}`);
  const kernelFile = join(dataDir, KERNEL_LOCK_FILE);
  const state = await watchdog.lock(kernelFile, KERNEL_LOCK_WAIT_MS);
  if (state === 'taken') throw new DataDirInUseError(dataDir, 'in another container or still shutting down');
  try {
    const releasePidFile = await takePidFile(dataDir);
    return {
      release: async () => {
        await releasePidFile();
        await watchdog.unlock(kernelFile);
      },
    };
  } catch (error) {
    await watchdog.unlock(kernelFile);
    throw error;
  }
}

/** The process on this machine that has the folder's lock now; null when none does. */
export async function dataDirHolder(dataDir: string): Promise<number | null> {
  const found = await read(join(dataDir, PID_FILE));
  const holder = found === null ? null : parseHolder(found);
  return holder !== null && (await isRunning(holder.pid, holder.startedAt)) ? holder.pid : null;
}

async function takePidFile(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, PID_FILE);
  const startedAt = await startOfProcess(process.pid);
  if (startedAt === null) throw new Error('This process is not in the table of processes');
  const mine = JSON.stringify({ pid: process.pid, startedAt, run: randomUUID() });
  const draft = join(dataDir, `${PID_FILE}.${randomUUID()}`);
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // A link appears complete or not at all, so a half-written lock is never read.
      if (await created(() => link(draft, file))) {
        if ((await read(file)) === mine) return () => removeOwn(file, mine);
        continue;
      }
      const found = await read(file);
      if (found === null) continue;
      const holder = parseHolder(found);
      if (holder !== null && (await isRunning(holder.pid, holder.startedAt)))
        throw new DataDirInUseError(dataDir, `process ${holder.pid}`);
      await removeStale(file, found);
    }
    throw new Error(`The lock ${file} changes too quickly; try again`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Two starts may find the same stale lock. If the moved lock turns out not to be the stale one, it is put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await read(aside)) !== stale) await created(() => link(aside, file));
  await rm(aside, { force: true });
}

async function removeOwn(file: string, mine: string): Promise<void> {
  if ((await read(file)) === mine) await rm(file, { force: true });
}

function parseHolder(text: string): z.infer<typeof holderShape> | null {
  try {
    return holderShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function read(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}

async function created(make: () => Promise<void>): Promise<boolean> {
  try {
    await make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
