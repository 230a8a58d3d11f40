import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { sharedPath, withShared } from '../support/shared-folder.js';

/** Recorded exchanges with the platform. */
export const RECORDINGS = sharedPath('recordings');

/** `describe` where the recordings are available. */
export const { describe: describeRecordings } = withShared('recordings');

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(RECORDINGS, file), 'utf8')) as T;
}

export interface Exchange {
  request: { url: string };
  response: { status: number; body: unknown };
}

/** Every exchange of one file of recordings. */
export function exchangesOf(file: string): Exchange[] {
  const bytes = readFileSync(join(RECORDINGS, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Exchange);
}

export interface WalkTarget {
  target_type: 'forum' | 'user';
  target: string;
  pages: number;
  posts: number;
  posts_sha256: string;
  comments: number;
  frugal_comments: number;
  comments_sha256: string;
  frugal_requests: number;
}

/** Every recorded target, with the results of a complete walk of it. */
export const recordedWalks = (): WalkTarget[] => readJson('expected-walk.json');

/** The digest by which the recordings identify a set of ids. */
export function idsHash(fullNames: Iterable<string>): string {
  return createHash('sha256')
    .update([...new Set(fullNames)].sort().join('\n'))
    .digest('hex');
}

/** The recordings, served over HTTP by a process of its own. */
export class Replay {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(...options: string[]): Promise<Replay> {
    const child = spawn(process.execPath, [join(RECORDINGS, 'replay.mjs'), '--dir', RECORDINGS, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { listening } = JSON.parse(line) as { listening: string };
      return new Replay(child, listening);
    }
    throw new Error('The replay ended before it listened');
  }

  async stats(): Promise<{ total: number; tokens_issued: number; faults: Record<string, number> }> {
    const answer = await fetch(`${this.url}/__stats`);
    return (await answer.json()) as { total: number; tokens_issued: number; faults: Record<string, number> };
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await ended;
  }
}
