import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sharedPath, withShared } from '../support/shared-folder.js';

/** The folder with the recordings. */
export const RECORDINGS = 'recordings-hackernews';

/** `describe` where the recordings of Hacker News are available. */
export const { describe: describeHackerNews } = withShared(RECORDINGS);

const readJson = <T>(file: string): T => JSON.parse(readFileSync(sharedPath(RECORDINGS, file), 'utf8')) as T;

/** The results of a complete walk of a target, and the minimum number of requests for it. */
export interface ExpectedTarget {
  target: string;
  target_type: 'forum' | 'user';
  posts: string[];
  comment_ids: string[];
  frugal_requests: number;
}

/** Every recorded target, with the results of a complete walk of it. */
export const expectedTargets = (): ExpectedTarget[] => readJson('expected.json');

/** A recorded item of a thread. */
export interface RecordedItem {
  id: number;
  author: string | null;
  text: string | null;
  title: string | null;
  url: string | null;
  points: number | null;
  created_at_i: number;
  children?: RecordedItem[];
}

/** Every recorded post with its comments. */
export const recordedPosts = (): RecordedItem[] => readJson('world.json');

/** The recordings, served over HTTP by a process of its own. */
export class HackerNewsReplay {
  private constructor(
    private readonly child: ChildProcess,
    /** The value of `HACKERNEWS_API_URL`. */
    readonly apiUrl: string,
  ) {}

  static async start(...options: string[]): Promise<HackerNewsReplay> {
    const child = spawn(process.execPath, [sharedPath(RECORDINGS, 'replay.mjs'), ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return new HackerNewsReplay(child, `${address}/api/v1`);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
