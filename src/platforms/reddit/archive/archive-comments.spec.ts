import { AcceleratedTime } from '../../../../test/support/accelerated-time.js';
import { HttpReceiver, sendJson } from '../../../../test/support/receivers.js';
import type { WireObject } from '../../http/response-parsing.js';
import type { PlatformSession } from '../../platform.js';
import { ArchivePlatform } from './archive-platform.js';
import { ArcticShiftArchive } from './arctic-shift-archive.js';
import { readDumpRow } from './dump-rows.js';

const BASE = 1_600_000_000;
const POST = { id: 't3_p', forum: 'science', permalink: '/r/science/comments/p/' };
const session: PlatformSession = {
  signal: new AbortController().signal,
  workspaceId: 'w',
  priority: 'normal',
  onRequest: () => undefined,
};

const comment = (id: string, second: number, parent = 't3_p'): WireObject => ({
  id,
  link_id: 't3_p',
  parent_id: parent,
  created_utc: BASE + second,
  body: id,
});

describe('comments of the archive', () => {
  let server: HttpReceiver;
  let archive: ArcticShiftArchive;
  let limits: number[];

  /** Behaves like an archive: whole seconds, exclusive start, at most `limit` rows. */
  async function serve(rows: readonly WireObject[], shortBy = 0): Promise<void> {
    limits = [];
    server = await HttpReceiver.serve(({ params }, response) => {
      limits.push(Number(params.get('limit')));
      const after = Number(params.get('after') ?? -Infinity);
      const later = rows.filter(({ created_utc }) => Number(created_utc) > after);
      sendJson(response, 200, { data: later.slice(0, Number(params.get('limit')) - shortBy) });
    });
    archive = new ArcticShiftArchive({
      baseUrl: server.url,
      userAgent: 'agent/1.0',
      dependencies: new AcceleratedTime().dependencies,
    });
  }
  afterEach(async () => {
    archive.close();
    await server.close();
  });

  it.each<[string, WireObject[], number]>([
    ['evenly spread', Array.from({ length: 250 }, (_, at) => comment(`a${at}`, at)), 250],
    [
      'in seconds that page edges cut',
      Array.from({ length: 250 }, (_, at) => comment(`a${at}`, Math.floor(at / 7))),
      250,
    ],
    [
      'with a second that fills a page',
      Array.from({ length: 150 }, (_, at) => comment(`a${at}`, at < 120 ? 5 : at)),
      130,
    ],
  ])('are read %s, each once', async (_, rows, expected) => {
    await serve(rows);
    const found: WireObject[] = [];
    for await (const page of archive.fetchComments(POST.id, session)) found.push(...page);
    expect(new Set(found.map(({ id }) => id)).size).toBe(expected);
    expect(found).toHaveLength(expected);
    // Pages may overlap, but must not repeat endlessly.
    expect(limits.length).toBeLessThan(9);
  });

  it('are read to the end although every page is shorter than requested', async () => {
    await serve(
      Array.from({ length: 250 }, (_, at) => comment(`a${at}`, at)),
      3,
    );
    let count = 0;
    for await (const page of archive.fetchComments(POST.id, session)) count += page.length;
    expect(count).toBe(250);
  });
});

describe('a thread of the archive', () => {
  const platformOf = (rows: readonly WireObject[]): ArchivePlatform =>
    new ArchivePlatform({
      fetchBefore: () => Promise.resolve([]),
      // eslint-disable-next-line @typescript-eslint/require-await
      async *fetchComments() {
        yield [...rows];
      },
      fetchPosts: () => Promise.reject(new Error('not asked for')),
      close: () => undefined,
    });

  async function walk(rows: readonly WireObject[]): Promise<[string, number][][]> {
    const slices: [string, number][][] = [];
    for await (const { comments, missing } of platformOf(rows).walkComments(POST, session)) {
      expect(missing).toBe(0);
      slices.push(comments.map(({ id, depth }) => [id, depth]));
    }
    return slices;
  }

  it('has every comment at its depth, even without a parent', async () => {
    const rows = [
      comment('c', 3, 't1_b'),
      comment('b', 2, 't1_a'),
      comment('a', 1),
      comment('own', 4, 't1_own'),
      comment('orphan', 5, 't1_lacking'),
    ];
    expect(await walk(rows)).toEqual([
      [
        ['t1_a', 0],
        ['t1_own', 0],
        ['t1_orphan', 0],
        ['t1_b', 1],
        ['t1_c', 2],
      ],
    ]);
  });

  it('comes in slices of at most 500 comments without losing any', async () => {
    const slices = await walk(Array.from({ length: 1_001 }, (_, at) => comment(`a${at}`, at)));
    expect(slices.map((slice) => slice.length)).toEqual([500, 500, 1]);
    expect(new Set(slices.flat().map(([id]) => id)).size).toBe(1_001);
  });

  it('sends no request when there are no posts to look up', async () => {
    expect(await platformOf([]).fetchPosts([], session)).toEqual([]);
  });
});

describe('a comment of a dump', () => {
  it.each([
    ['t3_p', 0],
    ['t1_a', -1],
    [undefined, 0],
  ])('that answers %j has depth %d', (parent, depth) => {
    const row = readDumpRow(JSON.stringify({ ...comment('b', 1), parent_id: parent }));
    expect(row).toMatchObject({ kind: 'comment', comment: { depth, postId: 't3_p' } });
  });

  it.each([
    '[1]',
    'null',
    '{"body":"x","link_id":"t3_p","id":"a"}',
    '{"body":"x","created_utc":5,"id":"a"}',
    '{"link_id":"t3_p","created_utc":5,"id":"a"}',
    '{"cut',
  ])('is not read from %s', (line) => expect(readDumpRow(line)).toBeNull());
});
