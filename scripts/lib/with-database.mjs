import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiled, prepare, ROOT, say } from './prepare.mjs';

const START_WAIT_MS = 120_000;

/** Runs a compiled command of `src/cli` with the arguments of this process and with a Postgres; sets the exit code. */
export async function runWithDatabase(command) {
  await prepare();
  try {
    process.exitCode = await withDatabase((databaseUrl) => runCommand(command, databaseUrl));
  } catch (error) {
    const { reportFailure } = await compiled('src/cli/run-command.js');
    process.exitCode = reportFailure(error);
  }
}

/** Runs `work` with the operator's Postgres, that of a service running here, or one started for this command. */
async function withDatabase(work) {
  if (process.env.DATABASE_URL) return work(process.env.DATABASE_URL);
  const { startEmbeddedDatabase, runningServers } = await compiled('src/launcher/embedded-servers.js');
  const { DataDirInUseError } = await compiled('src/launcher/data-dir-lock.js');
  const dataDir = process.env.DATA_DIR || '.data';
  const deadline = performance.now() + START_WAIT_MS;
  for (;;) {
    const running = await runningServers(dataDir);
    if (running !== null) return work(running.databaseUrl);
    try {
      const database = await startEmbeddedDatabase({ dataDir, log: say });
      try {
        return await work(database.databaseUrl);
      } finally {
        await database.stop();
      }
    } catch (error) {
      // A starting service locks the folder before its servers accept connections.
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function runCommand(command, databaseUrl) {
  const file = join(ROOT, 'dist/src/cli', `${command}.js`);
  const child = spawn(process.execPath, [file, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  // The terminal also signals the command, which ends by itself; then this process ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
