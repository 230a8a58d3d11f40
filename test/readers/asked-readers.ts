import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reader } from './world.js';

const LOOK_EVERY_MS = 500;

/** A command that reads a task on standard input and prints its answer; one that fails or takes too long gives none. */
export const readerOfCommand =
  (command: string, timeoutMs: number): Reader =>
  async (_task, words) => {
    const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    const end = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), timeoutMs);
    const exited = once(child, 'exit');
    child.stdin.on('error', () => undefined);
    child.stdin.end(words);
    try {
      const answer = await text(child.stdout);
      const [code] = (await exited) as [number | null];
      return code === 0 ? answer : '';
    } finally {
      clearTimeout(end);
    }
  };

/** Someone who finds `NAME.task.txt` in a folder and puts `NAME.answer.txt` beside it; too late is no answer. */
export const readerOfFolder =
  (folder: string, timeoutMs: number): Reader =>
  async ({ name }, words) => {
    await writeFile(join(folder, `${name}.task.txt`), words);
    const answer = join(folder, `${name}.answer.txt`);
    for (let waited = 0; waited < timeoutMs; waited += LOOK_EVERY_MS) {
      const found = await readFile(answer, 'utf8').catch(() => null);
      if (found !== null) return found;
      await sleep(LOOK_EVERY_MS);
    }
    return '';
  };
