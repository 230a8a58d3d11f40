import { AcceleratedTime } from '../../../../test/support/accelerated-time.js';
import { HttpReceiver, type ReceivedRequest, sendJson } from '../../../../test/support/receivers.js';
import type { PlatformError, PlatformSession } from '../../platform.js';
import { ArcticShiftArchive } from './arctic-shift-archive.js';

const FORUM = { type: 'forum', name: 'science' } as const;
const BASE = 1_600_000_000;

interface Row {
  id: string;
  created_utc: number | string;
}
const row = (id: string, second: number): Row & Record<string, unknown> => ({
  id,
  title: id,
  subreddit: 'science',
  created_utc: BASE + second,
});

/** Behaves like an archive: whole seconds, both ends exclusive, at most `limit` rows. */
function search(rows: readonly Row[], { params }: ReceivedRequest): Row[] {
  const before = Number(params.get('before') ?? Infinity);
  const after = Number(params.get('after') ?? -Infinity);
  const sign = params.get('sort') === 'asc' ? 1 : -1;
  return rows
    .filter((each) => Number(each.created_utc) < before && Number(each.created_utc) > after)
    .sort((a, b) => sign * (Number(a.created_utc) - Number(b.created_utc) || (a.id < b.id ? -1 : 1)))
    .slice(0, Number(params.get('limit')));
}

describe('an archive', () => {
  let server: HttpReceiver;
  let archive: ArcticShiftArchive;
  let time: AcceleratedTime;
  let session: PlatformSession;

  async function serve(answer: Parameters<typeof HttpReceiver.serve>[0]): Promise<void> {
    server = await HttpReceiver.serve(answer);
    time = new AcceleratedTime();
    archive = new ArcticShiftArchive({
      baseUrl: `${server.url}/root/`,
      userAgent: 'agent/1.0',
      dependencies: time.dependencies,
    });
    session = {
      signal: new AbortController().signal,
      workspaceId: 'w',
      priority: 'normal',
      onRequest: () => undefined,
    };
  }
  afterEach(async () => {
    archive.close();
    await server.close();
  });

  async function walk(): Promise<string[]> {
    const ids: string[] = [];
    let before: Date | null = null;
    for (let page = 0; page < 200; page++) {
      const posts = await archive.fetchBefore(FORUM, before, session);
      if (posts.length === 0) return ids;
      ids.push(...posts.map((post) => post.id));
      before = posts.at(-1)!.createdUtc;
    }
    throw new Error('The walk did not end');
  }

  it.each([
    ['forum', 'subreddit'],
    ['user', 'author'],
  ] as const)('requests the posts of a %s by %s', async (type, parameter) => {
    await serve((_request, response) => sendJson(response, 200, { data: [] }));
    expect(await archive.fetchBefore({ type, name: 'x' }, new Date(BASE * 1_000), session)).toEqual([]);
    expect(server.all[0]!.path).toBe('/root/api/posts/search');
    expect(Object.fromEntries(server.all[0]!.params)).toEqual({
      [parameter]: 'x',
      limit: '100',
      sort: 'desc',
      before: String(BASE),
    });
  });

  it.each<[string, Row[]]>([
    ['evenly spread', Array.from({ length: 350 }, (_, at) => row(`a${at}`, at))],
    [
      'in clumps that page edges cut',
      Array.from({ length: 350 }, (_, at) => row(`a${at}`, Math.floor(at / 7))),
    ],
    [
      'with seconds that fill pages',
      Array.from({ length: 450 }, (_, at) => row(`a${at}`, Math.floor(at / 150))),
    ],
    [
      'dated as text',
      Array.from({ length: 120 }, (_, at) => ({ ...row(`a${at}`, at), created_utc: `${BASE + at}` })),
    ],
    [
      'with a page of unreadable rows between',
      Array.from({ length: 350 }, (_, at) =>
        at >= 100 && at < 230 ? { id: '?', created_utc: BASE + at } : row(`a${at}`, at),
      ),
    ],
    [
      'with one readable row at the end of a page',
      Array.from({ length: 300 }, (_, at) =>
        at >= 102 && at <= 200 ? { id: '?', created_utc: BASE + at } : row(`a${at}`, at),
      ),
    ],
  ])('delivers every post once, newest first: %s', async (_name, rows) => {
    await serve((request, response) => sendJson(response, 200, { data: search(rows, request) }));
    const ids = await walk();
    const readable = rows.filter((each) => each.id !== '?').map((each) => `t3_${each.id}`);
    expect([...ids].sort()).toEqual(readable.sort());
  });

  it.each([1, 30])('delivers every post although pages are short by %d', async (shortBy) => {
    const rows = Array.from({ length: 350 }, (_, at) => row(`a${at}`, Math.floor(at / 2)));
    await serve((request, response) => {
      const found = search(rows, request);
      const isFull = found.length === Number(request.params.get('limit'));
      sendJson(response, 200, { data: isFull ? found.slice(0, -shortBy) : found });
    });
    expect((await walk()).sort()).toEqual(rows.map(({ id }) => `t3_${id}`).sort());
  });

  it('requests ids again that a lookup by id left out, until none is added', async () => {
    const ids = Array.from({ length: 16 }, (_, at) => `a${at}`);
    await serve((request, response) => {
      const wanted = request.params.get('ids')!.split(',');
      sendJson(response, 200, {
        data: wanted
          .filter((id) => ids.includes(id))
          .map((id) => row(id, 1))
          .slice(0, 10),
      });
    });
    const posts = await archive.fetchPosts(
      [...ids, 'gone'].map((id) => `t3_${id}`),
      session,
    );
    expect(posts.map(({ id }) => id)).toEqual(ids.map((id) => `t3_${id}`));
    expect(server.all).toHaveLength(3);
  });

  it('decodes the entities of its texts once', async () => {
    await serve((_request, response) =>
      sendJson(response, 200, { data: [{ ...row('a', 1), title: 'R&amp;D &amp;lt;b&amp;gt;' }] }),
    );
    expect((await archive.fetchPosts(['t3_a'], session))[0]!.title).toBe('R&D &lt;b&gt;');
  });

  it('requests smaller pages after timeouts, and larger ones again later', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => row(`a${at}`, at));
    await serve((request, response, nth) =>
      Number(request.params.get('limit')) > 25 && nth < 6
        ? sendJson(response, 422, { data: null, error: 'Timeout. Maybe slow down a bit' })
        : sendJson(response, 200, { data: search(rows, request) }),
    );
    expect(await walk()).toHaveLength(300);
    const limits = server.all.map((request) => Number(request.params.get('limit')));
    expect(limits.slice(0, 3)).toEqual([100, 50, 25]);
    expect(limits.at(-1)).toBe(100);
  });

  it('reports an archive that stays under maintenance', async () => {
    await serve((_request, response) => sendJson(response, 422, { data: null, error: 'Under maintenance' }));
    await expect(archive.fetchBefore(FORUM, null, session)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Under maintenance'),
    });
  });

  it.each([
    { pages: 19, gives: ['t3_last'] },
    { pages: 20, gives: 'bad_answer' },
  ])('skips at most 19 pages of unreadable rows: $pages', async ({ pages, gives }) => {
    const rows = Array.from({ length: pages * 100 }, (_, at) => ({ id: '?', created_utc: BASE + 1 + at }));
    const answer = [row('last', 0), ...rows];
    await serve((request, response) => sendJson(response, 200, { data: search(answer, request) }));
    const posts = archive.fetchBefore(FORUM, null, session).then(
      (found) => found.map(({ id }) => id),
      (error: PlatformError) => error.code,
    );
    expect(await posts).toEqual(gives);
  });

  it('counts the rows that cannot be read', async () => {
    const rows = [row('a', 3), { id: '?', created_utc: BASE + 2 }];
    await serve((request, response) => sendJson(response, 200, { data: search(rows, request) }));
    let unread = 0;
    const counting = { ...session, onUnread: (count: number) => void (unread += count) };
    expect(await archive.fetchBefore(FORUM, null, counting)).toMatchObject([{ id: 't3_a' }]);
    expect(unread).toBeGreaterThan(0);
  });

  it('reports a full page of rows without dates instead of treating it as the end', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ ...row(`a${at}`, at), created_utc: null }));
    await serve((_request, response) => sendJson(response, 200, { data: rows }));
    await expect(archive.fetchBefore(FORUM, null, session)).rejects.toMatchObject({ code: 'bad_answer' });
    expect(server.all).toHaveLength(1);
  });

  it('survives truncated responses and resets', async () => {
    await serve((_request, response, nth) => {
      if (nth === 1) return void response.end('{"data": [');
      if (nth === 2) return void response.socket!.resetAndDestroy();
      sendJson(response, 200, { data: [row('a', 1)] });
    });
    expect(await archive.fetchBefore(FORUM, null, session)).toHaveLength(1);
  });

  it('ends at once when the session is cancelled', async () => {
    const cancel = new AbortController();
    await serve(() => cancel.abort(new Error('cancelled')));
    const page = archive.fetchBefore(FORUM, null, { ...session, signal: cancel.signal });
    await expect(page).rejects.toThrow('cancelled');
  });
});
