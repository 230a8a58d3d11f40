import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { PLAIN_POST } from '../../platforms/post-fields.js';
import { fingerprint, normalisedLink } from './built-in/deduplicator.js';
import { linksIn } from './built-in/link-extractor.js';
import type { ScrapePlugin } from './plugin.js';
import { PluginRegistry } from './plugin-registry.js';
import { LocalHooks } from './plugin-hooks.js';
import { PluginRunner } from './plugin-runner.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const JOB = { workspaceId: 'w', jobId: 'j', target: 'forum' };
const TEXT = 'The quick brown fox jumps over the lazy dog while all of us are looking at it today';

const post = (id: string, changes: Partial<PlatformPost> = {}): PlatformPost => ({
  id,
  forum: 'forum',
  title: `Title of ${id}`,
  author: 'ann',
  createdUtc: new Date(0),
  permalink: `/r/forum/comments/${id}/`,
  score: 1,
  numComments: 0,
  ...PLAIN_POST,
  ...changes,
});

const comment = (id: string, changes: Partial<PlatformComment> = {}): PlatformComment => ({
  id,
  postId: 't3_a',
  forum: 'a',
  postPermalink: '/',
  parentId: 't3_a',
  author: 'ann',
  body: 'text',
  score: 1,
  createdUtc: new Date(0),
  depth: 0,
  isSubmitter: false,
  ...changes,
});

/** Runs plugins in this thread, on copies as a thread of their own gets them. */
const runner = (...named: (string | ScrapePlugin)[]): PluginRunner => {
  const plugins = named.flatMap((plugin) =>
    typeof plugin === 'string' ? new PluginRegistry().pick([plugin]) : [plugin],
  );
  const local = new LocalHooks(plugins, JOB);
  return new PluginRunner(plugins, {
    call: (plugin, hook, items) => local.call(plugin, hook, structuredClone(items)),
    end: () => local.end(),
  });
};
const idsOf = (items: { record: { id: string } }[]): string[] => items.map(({ record }) => record.id);

describe('PluginRunner', () => {
  it('drops, changes and annotates in the order of the job', async () => {
    const shout: ScrapePlugin = {
      name: 'shout',
      description: 'x',
      onPosts: (batch) =>
        batch
          .filter(({ record }) => record.id !== 't3_b')
          .map(({ record, annotations }) => ({
            record: { ...record, title: record.title.toUpperCase() },
            annotations: { ...annotations, loud: true },
          })),
    };
    const items = await runner(shout).posts([post('t3_a'), post('t3_b')]);
    expect(items).toEqual([
      { record: { ...post('t3_a'), title: 'TITLE OF T3_A' }, annotations: { loud: true } },
    ]);
  });

  it.each<[string, ScrapePlugin['onPosts']]>([
    [
      'throws after it changed something',
      (batch) => {
        batch[0]!.record.title = 'spoiled';
        throw new Error('broken');
      },
    ],
    ['returns nothing', () => undefined as never],
    ['invents an item', () => [{ record: post('t3_new'), annotations: {} }]],
    ['returns one item twice', (batch) => [batch[0]!, batch[0]!]],
    ['breaks a field', (batch) => batch.map((item) => ({ ...item, record: { ...item.record, score: NaN } }))],
    [
      'breaks a time',
      (batch) => batch.map((item) => ({ ...item, record: { ...item.record, createdUtc: new Date(NaN) } })),
    ],
    [
      'breaks a list',
      (batch) => batch.map((item) => ({ ...item, record: { ...item.record, mediaUrls: {} as never } })),
    ],
    ['notes too much', (batch) => batch.map((item) => ({ ...item, annotations: { x: 'x'.repeat(9_000) } }))],
    [
      'notes too many bytes',
      (batch) => batch.map((item) => ({ ...item, annotations: { x: 'é'.repeat(4_100) } })),
    ],
    ['notes a list', (batch) => batch.map((item) => ({ ...item, annotations: [] as never }))],
    [
      'throws after it noted something',
      (batch) => {
        batch[0]!.annotations.spoiled = true;
        throw new Error('broken');
      },
    ],
  ])('continues without a plugin that %s, and names it', async (_, onPosts) => {
    const plugins = runner({ name: 'bad', description: 'x', onPosts }, 'link_extractor');
    const items = await plugins.posts([post('t3_a', { selftext: 'see https://example.com/a.' })]);
    expect(items).toEqual([
      {
        record: post('t3_a', { selftext: 'see https://example.com/a.' }),
        annotations: { links: ['https://example.com/a'] },
      },
    ]);
    expect(plugins.errors).toMatchObject([{ plugin: 'bad', count: 1 }]);
  });

  it('accepts annotations of the maximum size, and a text where there was none', async () => {
    const largest = { x: 'x'.repeat(8_192 - '{"x":""}'.length) };
    const notes: ScrapePlugin = {
      name: 'notes',
      description: 'x',
      onPosts: (batch) =>
        batch.map(({ record }) => ({
          record: { ...record, url: 'https://e.example/' },
          annotations: largest,
        })),
    };
    const plugins = runner(notes);
    expect(await plugins.posts([post('t3_a')])).toEqual([
      { record: post('t3_a', { url: 'https://e.example/' }), annotations: largest },
    ]);
    expect(plugins.errors).toEqual([]);
  });

  it('calls no further plugin once a batch is empty, and counts failures', async () => {
    let calls = 0;
    const failing: ScrapePlugin = {
      name: 'failing',
      description: 'x',
      onPosts: () => {
        calls += 1;
        throw new Error(`${calls}`.padEnd(300, 'x'));
      },
    };
    const none: ScrapePlugin = { name: 'none', description: 'x', onPosts: () => [] };
    const plugins = runner(failing, none, failing);
    await plugins.posts([post('t3_a')]);
    await plugins.posts([post('t3_b')]);
    expect(calls).toBe(2);
    expect(plugins.errors).toEqual([{ plugin: 'failing', count: 2, message: '2'.padEnd(200, 'x') }]);
  });
});

describe('built-in plugins', () => {
  it('drops content that is not safe for work', async () => {
    expect(idsOf(await runner('nsfw_filter').posts([post('t3_a', { isNsfw: true }), post('t3_b')]))).toEqual([
      't3_b',
    ]);
  });

  it('knows bots by name and by confession', async () => {
    const kept = await runner('bot_filter').comments([
      comment('t1_a', { author: 'AutoModerator' }),
      comment('t1_b', { author: 'RemindMeBot' }),
      comment('t1_c', { author: 'weather-bot2' }),
      comment('t1_d', { body: '*I am a bot, and this action was performed automatically.*' }),
      comment('t1_e', { author: 'talbot' }),
      comment('t1_f', { body: 'I am about to leave' }),
    ]);
    expect(idsOf(kept)).toEqual(['t1_e', 't1_f']);
  });

  it('drops reposts across batches, but keeps a post that is read again', async () => {
    const plugins = runner('deduplicator');
    const link = (id: string, url: string) => post(id, { postType: 'link', url });
    const first = await plugins.posts([
      link('t3_a', 'https://www.example.com/story/?utm_source=x&id=7'),
      post('t3_b', { title: 'A', selftext: TEXT }),
      post('t3_c', { title: 'A', selftext: 'short' }),
    ]);
    expect(idsOf(first)).toEqual(['t3_a', 't3_b', 't3_c']);
    const second = await plugins.posts([
      link('t3_d', 'http://example.com/story?id=7'),
      link('t3_e', 'http://example.com/story?id=8'),
      post('t3_f', { title: 'A', selftext: TEXT }),
      post('t3_g', { title: 'A', selftext: 'short' }),
      link('t3_a', 'https://www.example.com/story/?utm_source=x&id=7'),
      post('t3_b', { title: 'A', selftext: TEXT }),
    ]);
    expect(idsOf(second)).toEqual(['t3_e', 't3_g', 't3_a', 't3_b']);
  });

  it('drops texts whose fingerprints differ in at most six bits', async () => {
    const words = Array.from(
      { length: 80 },
      (_, n) => `word${String.fromCharCode(97 + (n % 26), 97 + ((n * 7) % 26))}`,
    );
    const text = (changed?: number): string =>
      words.map((word, n) => (n === changed ? 'changed' : word)).join(' ');
    const kept = await runner('deduplicator').posts([
      post('t3_a', { title: 'A', selftext: text() }),
      // Six bits, and seven.
      post('t3_b', { title: 'A', selftext: text(2) }),
      post('t3_c', { title: 'A', selftext: text(21) }),
    ]);
    expect(idsOf(kept)).toEqual(['t3_a', 't3_c']);
  });

  it('remembers the last 20,000 links', async () => {
    const plugins = runner('deduplicator');
    const link = (id: string, number: number) =>
      post(id, { postType: 'link', url: `https://a.example/${number}` });
    await plugins.posts(Array.from({ length: 20_001 }, (_, number) => link(`t3_${number}`, number)));
    expect(idsOf(await plugins.posts([link('t3_a', 1), link('t3_b', 0)]))).toEqual(['t3_b']);
  });

  it('ignores links of posts to themselves', () => {
    const own = post('t3_a', { postType: 'link', url: 'https://www.reddit.com/r/forum/comments/t3_a/' });
    expect(normalisedLink(own)).toBeNull();
    expect(normalisedLink({ ...own, permalink: '/r/forum/comments/t3_b/' })).not.toBeNull();
    expect(normalisedLink({ ...own, postType: 'self' })).toBeNull();
    expect(normalisedLink({ ...own, url: '/relative' })).toBeNull();
  });

  it('normalises links and leaves short texts without a fingerprint', () => {
    expect(
      normalisedLink(post('t3_a', { postType: 'link', url: 'https://m.example.com/a/?b=2&a=1#x' })),
    ).toBe('example.com/a?a=1&b=2');
    expect(fingerprint('too short')).toBeNull();
  });

  it('finds links without the punctuation around them', () => {
    expect(
      linksIn('See (https://a.example/x_(y)), [b](https://b.example/z). https://a.example/x_(y)'),
    ).toEqual(['https://a.example/x_(y)', 'https://b.example/z']);
  });

  it('finds at most 50 links, each once', () => {
    const links = Array.from({ length: 60 }, (_, n) => `https://a.example/${n}`);
    expect(linksIn([...links.slice(0, 5), ...links].join(' '))).toEqual(links.slice(0, 50));
  });
});

describe('PluginRegistry', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  it("loads the operator's own plugins next to the built-in ones", async () => {
    await writeFile(
      join(folder, 'own.mjs'),
      `export default { name: 'own', description: 'Ours', onPosts: (batch) => batch };`,
    );
    const registry = await PluginRegistry.load(folder);
    expect(registry.list()).toEqual([...new PluginRegistry().list(), { name: 'own', description: 'Ours' }]);
    expect(registry.refuse(['own', 'nsfw_filter'])).toBeNull();
    expect(registry.refuse(['nix'])).toMatch(/unknown plugin "nix"; known are deduplicator, .*own/);
  });

  it.each([
    ['export default { name: "Bad Name", description: "x", onPosts() {} };', /name/],
    ['export default { name: "own", description: "x" };', /onPosts/],
    ['export default { name: "own", description: "x", onPosts() {}, onComments: 5 };', /onComments/],
    ['export default { name: "own", description: "", onPosts() {} };', /description/],
    ['export default { name: "bot_filter", description: "x", onPosts() {} };', /taken/],
    ['throw new Error("boom");', /boom/],
    ['export const x = 1;', /default export/],
  ])('refuses to start with %j', async (source, message) => {
    await writeFile(join(folder, 'bad.mjs'), source);
    await expect(PluginRegistry.load(folder)).rejects.toThrow(message);
  });
});
