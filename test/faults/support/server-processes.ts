import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { query } from '../../../scripts/bench/support/query.js';

/** Process id of the Postgres server at this address, which must run on this machine. */
export async function postgresPid(databaseUrl: string): Promise<number> {
  const [row] = await query<{ data_directory: string }>(databaseUrl, 'SHOW data_directory');
  return Number(readFileSync(join(row!.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Process id of the Redis server at this address, which must run on this machine. */
export async function redisPid(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl, { connectTimeout: 5_000, commandTimeout: 5_000 });
  try {
    return Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  } finally {
    redis.disconnect();
  }
}

/** Stops Postgres as `pg_ctl stop -m fast` does; its supervisor starts it again. */
export async function restartPostgres(databaseUrl: string): Promise<void> {
  process.kill(await postgresPid(databaseUrl), 'SIGINT');
}

/**
 * Pauses the process and its children for a time, so that they keep their connections but respond to nothing. Linux
 * only.
 */
export async function silenceFor(pid: number, durationMs: number): Promise<void> {
  signal([pid], 'SIGSTOP');
  // A paused parent cannot start further children.
  const children = childrenOf(pid);
  signal(children, 'SIGSTOP');
  try {
    await sleep(durationMs);
  } finally {
    signal([...children, pid], 'SIGCONT');
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // A child may have exited since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}
