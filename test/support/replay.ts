import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Recordings of the real platform. They are kept beside the project, not in it, and may be absent. */
export const RECORDINGS_DIR = join(import.meta.dirname, '../../../../shared/recordings');

/** What a walk over the recordings uses of the program that serves them. */
interface ReplayModule {
  options(argv: string[]): Record<string, unknown>;
  start(options: Record<string, unknown>): Promise<{ port: number; close(): Promise<void> }>;
}

export interface Replay {
  /** Without a path; `/__s/NAME` after it limits a client to one scenario. */
  url: string;
  close(): Promise<void>;
}

/** `describe` when the recordings are there; else one that counts as skipped and says why. */
export function describeWithRecordings(name: string, cases: () => void): void {
  if (existsSync(join(RECORDINGS_DIR, 'replay.mjs'))) {
    describe(name, cases);
    return;
  }
  process.stderr.write(`Skipped, since ${RECORDINGS_DIR} is absent: ${name}\n`);
  describe.skip(name, cases);
}

/** Serves the recordings on a free loopback port; `flags` are those of replay.mjs, e.g. `['--compose']`. */
export async function startReplay(flags: string[] = []): Promise<Replay> {
  const module = (await import(pathToFileURL(join(RECORDINGS_DIR, 'replay.mjs')).href)) as ReplayModule;
  const served = await module.start(module.options(['--dir', RECORDINGS_DIR, '--port', '0', ...flags]));
  return { url: `http://127.0.0.1:${served.port}`, close: () => served.close() };
}
