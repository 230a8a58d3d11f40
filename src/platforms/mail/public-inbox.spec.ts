import { PlatformError, type PlatformSession } from '../platform.js';
import type { MailFiles } from './mail-files.js';
import type { MailMessage } from './mail-message.js';
import { PublicInbox } from './public-inbox.js';

const ADDRESS = new URL('https://list.example/dev/');
const SESSION: PlatformSession = {
  signal: new AbortController().signal,
  workspaceId: 'w',
  priority: 'normal',
  onRequest: () => undefined,
};
const START = Date.parse('2026-03-01T10:00:00.250Z');
const SECOND_MS = 1_000;
/** A message that was sent so many seconds after the start. */
const message = (id: string, seconds: number, ...parents: string[]): MailMessage => ({
  ...{ id, parents, subject: id, author: 'ann', time: START + seconds * SECOND_MS, text: id, list: null },
});
const threadsIn = (threads: readonly { root: MailMessage }[]): string[] => threads.map(({ root }) => root.id);

/** An archive with a feed of these messages, newest first, and the requests that reached it. */
function archiveOf(
  messages: readonly MailMessage[],
  { file = null as Error | null, hasIndex = true, size = 25 } = {},
) {
  const asked: string[] = [];
  const rootOf = ({ id, parents }: MailMessage): string => {
    const parent = messages.find((one) => one.id === parents[0]);
    return parent === undefined ? id : rootOf(parent);
  };
  const entry = ({ id, parents: [parent], time }: MailMessage): string => {
    const reply = parent === undefined ? '' : `<thr:in-reply-to ref="urn:${parent}"/>`;
    const updated = new Date(time!).toISOString();
    return `<entry><id>urn:${id}</id><updated>${updated}</updated><link href="${ADDRESS.href}${id}/"/>${reply}</entry>`;
  };
  const files = {
    page: (url: URL) => {
      asked.push(url.pathname.split('/').at(-1)! + url.search);
      const until = hasIndex ? (url.searchParams.get('t') ?? '9') : '9';
      const shown = messages.filter(({ time }) => digitsOf(time!) <= until).slice(0, size);
      const feed =
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0">';
      return Promise.resolve({ text: `${feed}${shown.map(entry).join('')}</feed>` });
    },
    mbox: (url: string) => {
      asked.push(url.slice(ADDRESS.href.length));
      if (url.endsWith('all.mbox.gz') && file !== null) return Promise.reject(file);
      if (url.endsWith('all.mbox.gz')) return Promise.resolve(messages);
      const [, id] = /([^/]+)\/t\.mbox\.gz$/.exec(url)!;
      return Promise.resolve(messages.filter((one) => rootOf(one) === id));
    },
  };
  return { inbox: new PublicInbox(files as unknown as MailFiles), asked };
}
const digitsOf = (time: number): string => {
  const [date, clock] = new Date(time).toISOString().split('T') as [string, string];
  return date.replaceAll('-', '') + clock.slice(0, 8).replaceAll(':', '');
};
const query = { address: ADDRESS, after: null, wanted: 10, since: undefined };

describe('an archive of public-inbox, by its feed', () => {
  it('goes on at the second of the oldest message', async () => {
    const { inbox, asked } = archiveOf([message('b', 5), message('a', 2)], { size: 2 });
    const page = await inbox.page(query, SESSION);
    expect([threadsIn(page.threads), page.next, page.isCut]).toEqual([['b', 'a'], '20260301100002', false]);
    expect(asked).toEqual(['new.atom', 'b/t.mbox.gz', 'a/t.mbox.gz']);
    const last = await inbox.page({ ...query, after: page.next }, SESSION);
    expect([threadsIn(last.threads), last.next, asked.at(-1)]).toEqual([
      ['a'],
      null,
      'new.atom?t=20260301100002',
    ]);
  });

  it.each([
    [24, null],
    [25, '20260301095959'],
  ])('of %i messages of the second that was asked for goes on at %s', async (count, next) => {
    const { inbox } = archiveOf(Array.from({ length: count }, (_, at) => message(`m${at}`, 0)));
    const page = await inbox.page({ ...query, after: '20260301100000' }, SESSION);
    expect([page.threads.length, page.next]).toEqual([count, next]);
  });

  it('ends without a message, and is cut where the server knows no times', async () => {
    const empty = await archiveOf([]).inbox.page(query, SESSION);
    expect(empty).toEqual({ threads: [], next: null, isCut: false });
    const newer = archiveOf([message('a', 2)], { hasIndex: false }).inbox;
    expect(await newer.page({ ...query, after: '20260301100001' }, SESSION)).toMatchObject({ isCut: true });
    expect(await newer.page({ ...query, after: '20260301100002' }, SESSION)).toMatchObject({ isCut: false });
  });

  it('reads back to a time, with the message of that very time', async () => {
    const all = [4, 3, 2, 1].map((seconds) => message(`m${seconds}`, seconds));
    const { inbox, asked } = archiveOf(all, { size: 2 });
    const page = await inbox.page({ ...query, since: new Date(START + 2 * SECOND_MS) }, SESSION);
    expect([threadsIn(page.threads), page.next]).toEqual([['m4', 'm3', 'm2'], null]);
    const pages = asked.filter((one) => one.startsWith('new'));
    expect(pages).toEqual(['new.atom', 'new.atom?t=20260301100003', 'new.atom?t=20260301100002']);
  });

  it('asks for a thread once for all of its messages, and again for a new one', async () => {
    const known = [message('c', 5, 'b'), message('b', 4, 'a'), message('a', 3)];
    const { inbox, asked } = archiveOf(known);
    for (let pass = 0; pass < 2; pass += 1)
      expect(threadsIn((await inbox.page(query, SESSION)).threads)).toEqual(['a']);
    expect(asked).toEqual(['new.atom', 'a/t.mbox.gz', 'new.atom']);
    known.unshift(message('d', 6, 'c'));
    await inbox.page(query, SESSION);
    expect(asked.slice(3)).toEqual(['new.atom', 'a/t.mbox.gz']);
  });
});

describe('an archive of public-inbox, as one file', () => {
  const many = { ...query, wanted: 26 };
  const all = Array.from({ length: 1_001 }, (_, at) => message(`m${at}`, at));

  it('gives 500 threads at a time, the latest first', async () => {
    const { inbox, asked } = archiveOf(all);
    const pages = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await inbox.page({ ...many, after: next || null }, SESSION);
      pages.push([page.threads[0]!.root.id, page.threads.length, page.next]);
      next = page.next;
    }
    expect(pages).toEqual([
      ['m1000', 500, 'all 500'],
      ['m500', 500, 'all 1000'],
      ['m0', 1, null],
    ]);
    expect(new Set(asked)).toEqual(new Set(['all.mbox.gz']));
  });

  it.each([
    ['a page of the feed is enough', { ...many, wanted: 25 }],
    ['only new messages are wanted', { ...many, since: new Date(START) }],
    ['a page of the feed is wanted', { ...many, after: '20260301100000' }],
  ])('is not read where %s', async (_case, asking) => {
    const { inbox, asked } = archiveOf([message('a', 0)]);
    await inbox.page(asking, SESSION);
    expect(asked[0]).toMatch(/^new\.atom/);
  });

  it('is requested once where the server has none, but fails with the server', async () => {
    const { inbox, asked } = archiveOf([message('a', 0)], {
      file: new PlatformError('target_not_found', 'none'),
    });
    for (let pass = 0; pass < 2; pass += 1) await inbox.page(many, SESSION);
    expect(asked.filter((one) => one === 'all.mbox.gz')).toHaveLength(1);
    for (const code of ['unavailable', 'rate_limited'] as const) {
      const failing = archiveOf([message('a', 0)], { file: new PlatformError(code, 'later') }).inbox;
      await expect(failing.page(many, SESSION)).rejects.toMatchObject({ code });
    }
  });
});
