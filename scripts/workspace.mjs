import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiled, prepare, ROOT, say } from './lib/prepare.mjs';

const START_WAIT_MS = 120_000;

await prepare();
try {
  process.exitCode = await withDatabase(runCommand);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
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
      // A service that is starting holds the folder before its servers answer.
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function runCommand(databaseUrl) {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/cli/workspace.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
