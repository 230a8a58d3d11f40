import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformComment } from '../../platforms/platform.js';
import { PluginRegistry } from './plugin-registry.js';
import { PluginRunner } from './plugin-runner.js';
import { PluginThread } from './plugin-thread.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const JOB = { workspaceId: 'w', jobId: 'j', target: 'forum' };

const comment = (id: string): PlatformComment => ({
  id,
  postId: 't3_a',
  forum: 'a',
  postPermalink: '/',
  parentId: 't3_a',
  author: 'ann',
  body: 'see https://example.com/a',
  score: 1,
  createdUtc: new Date(0),
  depth: 0,
  isSubmitter: false,
});

const PLUGINS = {
  endless: 'onComments() { for (;;); }',
  waiting: 'onComments() { return new Promise(() => undefined); }',
  greedy: 'onComments() { const kept = []; for (;;) kept.push(new Array(1e6).fill({})); }',
  uncopied: 'onComments: (batch) => batch.map((item) => ({ ...item, annotations: { f() {} } }))',
  counting:
    'onComments(batch, { memory }) { const n = (memory.get("n") ?? 0) + 1; memory.set("n", n); batch[0].annotations.n = n; return batch; }',
};

const folder = await temporaryFolder();

describe('PluginThread', () => {
  let runner: PluginRunner;

  beforeAll(async () => {
    for (const [name, hook] of Object.entries(PLUGINS))
      await writeFile(
        join(folder, `${name}.mjs`),
        `export default { name: '${name}', description: 'x', ${hook} };`,
      );
  });
  afterEach(() => runner.end());

  const start = async (...names: string[]): Promise<PluginRunner> => {
    const registry = await PluginRegistry.load(folder);
    runner = new PluginRunner(
      registry.pick(names),
      new PluginThread({ folder, names, job: JOB }, names.includes('greedy') ? 25_000 : 1_000),
    );
    return runner;
  };

  it.each(['endless', 'waiting'])('ends a plugin that is %s and goes on without it', async (name) => {
    await start(name, 'link_extractor');
    const failures: string[] = [];
    runner.onFailure = (plugin, message) => failures.push(`${plugin}: ${message}`);
    const links = { links: ['https://example.com/a'] };
    for (const id of ['t1_a', 't1_b'])
      expect(await runner.comments([comment(id)])).toEqual([{ record: comment(id), annotations: links }]);
    expect(failures).toEqual([
      `${name}: no answer within 1000 ms; it was ended and is not used again in this execution`,
    ]);
  });

  it('ends a plugin that uses too much memory', async () => {
    await start('greedy');
    expect(await runner.comments([comment('t1_a')])).toEqual([{ record: comment('t1_a'), annotations: {} }]);
    expect(runner.errors).toMatchObject([
      { plugin: 'greedy', message: expect.stringMatching(/thread ended/) },
    ]);
  });

  it('names a plugin whose return value cannot be copied', async () => {
    await start('uncopied');
    await runner.comments([comment('t1_a')]);
    expect(runner.errors).toMatchObject([{ plugin: 'uncopied', message: expect.stringMatching(/cloned/) }]);
  });

  it('keeps the memory of a plugin from batch to batch, one call at a time', async () => {
    await start('counting');
    const batches = await Promise.all(['t1_a', 't1_b', 't1_c'].map((id) => runner.comments([comment(id)])));
    expect(batches.map(([item]) => item!.annotations.n)).toEqual([1, 2, 3]);
  });

  it('does not hold the event loop while a plugin computes', async () => {
    await start('endless');
    let ticks = 0;
    const timer = setInterval(() => void (ticks += 1), 10);
    await runner.comments([comment('t1_a')]);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });
});
