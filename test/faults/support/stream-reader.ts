import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Listener } from '../../../src/tenants/ports/listeners.js';

/** Starts a process that reads a stream for listeners; returns once it begins. */
export async function startStreamReader(
  databaseUrl: string,
  streamUrl: string,
  listeners: readonly Listener[],
): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '../stream-reader-process.js'), [databaseUrl, streamUrl], {
    execArgv: [],
  });
  child.send(listeners);
  await once(child, 'message');
  return child;
}
