import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const RECORDINGS = resolve('../shared/recordings-hackernews');
const haveRecordings = existsSync(resolve(RECORDINGS, 'replay.mjs'));

/** `describe` if the recordings of Hacker News are available, else a skipped block that the runner counts. */
export const describeHackerNews: jest.Describe = haveRecordings ? describe : describe.skip;
if (!haveRecordings) process.stderr.write(`Skipped: the recordings are not at ${RECORDINGS}\n`);

const readJson = <T>(file: string): T => JSON.parse(readFileSync(resolve(RECORDINGS, file), 'utf8')) as T;

/** The results of a complete walk of a target, and the minimum number of requests for it. */
export interface ExpectedTarget {
  target: string;
  target_type: 'forum' | 'user';
  posts: string[];
  comment_ids: string[];
  frugal_requests: number;
}

export const expectedTargets = haveRecordings ? readJson<ExpectedTarget[]>('expected.json') : [];

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
export const recordedPosts = haveRecordings ? readJson<RecordedItem[]>('world.json') : [];

/** The recordings, served over HTTP by a process of its own. */
export class HackerNewsReplay {
  private constructor(
    private readonly child: ChildProcess,
    /** The value of `HACKERNEWS_API_URL`. */
    readonly apiUrl: string,
  ) {}

  static async start(...options: string[]): Promise<HackerNewsReplay> {
    const child = spawn(process.execPath, [resolve(RECORDINGS, 'replay.mjs'), ...options], {
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
