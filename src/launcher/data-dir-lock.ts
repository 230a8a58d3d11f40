import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning, startOfProcess } from './process-identity.js';

const LOCK_FILE = 'service.lock';
const ATTEMPTS = 10;

const holderShape = z.object({ pid: z.number().int().positive(), startedAt: z.string() });

/** Another run uses this folder. The message is for the operator. */
export class DataDirInUseError extends Error {
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(
      `Another run (process ${pid}) is using the data folder ${dataDir}. ` +
        `Stop it first, or give this run a folder of its own: DATA_DIR=/some/other/folder`,
    );
  }
}

/** Held by this process until {@link DataDirLock.release}; a holder that was killed loses it to the next who asks. */
export interface DataDirLock {
  release(): Promise<void>;
}

/** Takes the one lock of a data folder. Throws {@link DataDirInUseError} when a living process holds it. */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const file = join(dataDir, LOCK_FILE);
  const startedAt = await startOfProcess(process.pid);
  if (startedAt === null) throw new Error('This process cannot find itself in the table of processes');
  const mine = JSON.stringify({ pid: process.pid, startedAt, run: randomUUID() });
  const draft = join(dataDir, `${LOCK_FILE}.${randomUUID()}`);
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // A link appears whole or not at all, so nobody ever reads a lock that is half written.
      if (await created(() => link(draft, file))) {
        if ((await read(file)) === mine) return { release: () => release(file, mine) };
        continue;
      }
      const found = await read(file);
      if (found === null) continue;
      const holder = parseHolder(found);
      if (holder !== null && (await isRunning(holder.pid, holder.startedAt)))
        throw new DataDirInUseError(dataDir, holder.pid);
      await takeAway(file, found);
    }
    throw new Error(`The lock ${file} changes hands too quickly; try again`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The process that holds the folder's lock now, null when none does. */
export async function dataDirHolder(dataDir: string): Promise<number | null> {
  const found = await read(join(dataDir, LOCK_FILE));
  const holder = found === null ? null : parseHolder(found);
  return holder !== null && (await isRunning(holder.pid, holder.startedAt)) ? holder.pid : null;
}

/** Two runs may find the same dead lock. Whoever moves a lock that is not the dead one puts it back. */
async function takeAway(file: string, dead: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await read(aside)) !== dead) await created(() => link(aside, file));
  await rm(aside, { force: true });
}

async function release(file: string, mine: string): Promise<void> {
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
