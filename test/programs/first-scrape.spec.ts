import { execFile } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  describeHackerNews,
  expectedTargets,
  HackerNewsReplay,
  recordedPosts,
} from '../recordings/hackernews-replay.js';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { blocksOf } from '../support/doc-blocks.js';
import { startFromCommand, type StartedService } from '../support/started-service.js';
import { openSandbox } from '../support/sandbox.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

type Command = 'setUp' | 'listen' | 'heard' | 'start' | 'progress' | 'search' | 'download';

/** The commands of README's first word and first scrape in order, under the names that this test gives them. */
function commands(): Record<Command, string> {
  const blocks = blocksOf('README.md');
  const first = blocks.findIndex(({ text }) => text.startsWith('export BASE='));
  const parts = blocks.slice(first, first + 2).flatMap(({ text }) => text.split('\n\n'));
  expect(parts).toHaveLength(7);
  const [setUp, listen, heard, start, progress, search, download] = parts as Values;
  return { setUp, listen, heard, start, progress, search, download };
}
type Values = [string, string, string, string, string, string, string];

describeHackerNews("README's first scrape, on a machine without credentials", () => {
  let folder: string;
  let replay: HackerNewsReplay;
  let others: Sandbox;
  let service: StartedService;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await chmod(folder, 0o711);
    replay = await HackerNewsReplay.start();
    others = await openSandbox({
      forums: {
        programming: { posts: 40, commentsPerPost: 3 },
        askanything: { posts: 40, commentsPerPost: 3 },
      },
    });
    service = await startFromCommand(['--json', '--ephemeral'], {
      TMPDIR: folder,
      HACKERNEWS_API_URL: replay.apiUrl,
      SOURCE_SITES: `meta.discourse.org=${others.baseUrl}/discourse`,
      BLUESKY_APPVIEW_URL: `${others.baseUrl}/bluesky`,
      JETSTREAM_URL: `${others.baseUrl}/jetstream`,
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
    });
  });
  afterAll(async () => {
    await service?.end();
    await replay?.stop();
  });

  /** The standard output of a command that follows the block's first part. */
  async function shell(command: string, jobId = ''): Promise<string> {
    const { base_url, workspace_id, api_key } = service.line;
    const script = `set -eu\n${commands().setUp}\n${command}`
      .replaceAll('http://127.0.0.1:3000', base_url)
      .replaceAll('WORKSPACE_ID', workspace_id)
      .replaceAll('rp_...', api_key)
      .replaceAll('JOB_ID', jobId);
    const { stdout } = await run('bash', ['-c', script], {
      cwd: folder,
      timeout: 30_000,
      env: { PATH: process.env.PATH },
    });
    return stdout;
  }
  const json = async <T>(command: string, jobId?: string): Promise<T> =>
    JSON.parse(await shell(command, jobId)) as T;

  it('hears a word, with its commands', async () => {
    const { listen, heard } = commands();
    expect(await json(listen)).toMatchObject({ name: 'Postgres', is_active: true });
    await fetch(`${others.baseUrl}/__control/posts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ forum: 'askanything', title: 'PostgreSQL as a queue' }),
    });
    const { matches } = await until(
      () => json<{ matches: { post: { title: string } }[]; total: number }>(heard),
      ({ total }) => total > 0,
      { everyMs: 500 },
    );
    expect(matches.map(({ post }) => post.title)).toEqual(['PostgreSQL as a queue']);
  });

  it('downloads the posts and comments of the front page with its commands', async () => {
    interface Job {
      id: string;
      status: string;
      posts_scraped: number;
      comments_scraped: number;
    }
    const { start, progress, search, download } = commands();
    const jobs = (await shell(start))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Job);
    expect(jobs).toHaveLength(3);
    const ended: Job[] = [];
    for (const { id } of jobs) {
      let job = await json<Job>(progress, id);
      for (const deadline = performance.now() + 60_000; job.status !== 'completed'; await sleep(200)) {
        if (performance.now() > deadline || job.status === 'failed')
          throw new Error(`The job has not completed: ${JSON.stringify(job)}`);
        job = await json<Job>(progress, id);
      }
      ended.push(job);
    }
    const [job] = ended;
    const expected = expectedTargets().find(({ target }) => target === 'hn:top')!;
    expect(job).toMatchObject({
      posts_scraped: expected.posts.length,
      comments_scraped: expected.comment_ids.length,
    });

    const { posts } = await json<{ posts: Record<string, unknown>[] }>(
      'curl -s "$BASE/posts?source=hackernews" -H "X-API-Key: $KEY"',
    );
    const recorded = recordedPosts().filter((post) => expected.posts.includes(`hn_${post.id}`));
    expect(posts).toHaveLength(recorded.length);
    for (const { id: number, title, author, points } of recorded)
      expect(posts).toContainEqual(
        expect.objectContaining({ id: `hn_${number}`, title, author, score: points }),
      );

    const found = await json<{ posts: { id: string }[] }>(search);
    const sources = new Set(found.posts.map(({ id }) => id.slice(0, 2)));
    expect([...sources].filter((source) => source !== 'hn').sort()).toEqual(['bs', 'dc']);
    const before = new Set(await readdir(folder));
    await shell(download);
    const [file, ...others] = (await readdir(folder)).filter((name) => !before.has(name));
    expect(others).toEqual([]);
    expect(file).toMatch(/\.csv$/);
    const csv = await readFile(join(folder, file!), 'utf8');
    const stories = posts.filter(({ forum }) => forum === 'hn:story');
    expect(stories).not.toHaveLength(0);
    for (const story of stories) expect(csv).toContain(String(story.title));
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + stories.length);
  });
});
