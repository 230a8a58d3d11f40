import { openSandbox } from '../../../test/support/sandbox.js';
import { CheckedPlatform } from '../../cli/source-check/source-walk.js';
import type { PlatformComment, PlatformSession } from '../platform.js';
import { MAIL } from './mail-definition.js';

const OPTIONS = { forums: { technology: { posts: 12, commentsPerPost: 3 } } };
const ARCHIVES = ['inbox', 'closed', 'pipermail/talk', 'archives/list/talk@mail.example'];
const targetAt = (path: string) => ({ type: 'forum' as const, name: `https://forum.example/${path}/` });

const sandbox = await openSandbox(OPTIONS);

describe('MailPlatform', () => {
  let opened: CheckedPlatform[];
  beforeEach(() => (opened = []));
  afterEach(() => Promise.all(opened.map((one) => one.close())));

  function open(): CheckedPlatform {
    const platform = new CheckedPlatform(MAIL, { SOURCE_SITES: `forum.example=${sandbox.baseUrl}/mail` });
    opened.push(platform);
    return platform;
  }
  const list = (from: CheckedPlatform, path: string, session: PlatformSession, since?: Date) =>
    from.platform.fetchListing(
      { target: targetAt(path), name: 'activity', wanted: 1_000, ...(since && { since }) },
      null,
      session,
    );

  it.each(ARCHIVES)('reads the comments of a thread that another process listed: %s', async (path) => {
    const first = open();
    const { posts } = await list(first, path, first.session());
    const other = open();
    for (const post of posts.slice(0, 3)) {
      const [known, cold] = await Promise.all(
        [first, other].map(async ({ platform }) => {
          const comments: PlatformComment[] = [];
          for await (const slice of platform.walkComments(post, first.session()))
            comments.push(...slice.comments);
          return comments;
        }),
      );
      expect(cold).toEqual(known);
      expect(cold).toHaveLength(post.numComments);
    }
  });

  it.each([
    // The feed up to then, and the threads with newer messages.
    ['inbox', (threads: number) => 1 + threads],
    ['pipermail/talk', () => 2],
    ['archives/list/talk@mail.example', () => 2],
  ])('asks a pass of %s for what is new only', async (path, fewest) => {
    const checked = open();
    const { posts } = await list(checked, path, checked.session());
    const since = posts[2]!.createdUtc;
    const session = checked.session();
    const pass = await list(checked, path, session, since);
    expect(pass.after).toBeNull();
    const newer = posts.filter(({ createdUtc }) => createdUtc >= since).map(({ id }) => id);
    expect(pass.posts.map(({ id }) => id)).toEqual(expect.arrayContaining(newer));
    expect(session.requests).toBeLessThanOrEqual(fewest(pass.posts.length));
  });

  it.each([
    ['nothing', 'There is no archive at'],
    ['inbox/p1%40mail.example/t.mbox.gz', null],
  ])('finds the archive of %s, or says that there is none', async (path, message) => {
    const checked = open();
    const address = new URL(`https://forum.example/${path}`);
    const found = await checked.platform.recognise!(address, checked.session());
    expect(found?.name ?? null).toBe(message === null ? 'https://forum.example/inbox/' : null);
    if (message !== null) await expect(list(checked, path, checked.session())).rejects.toThrow(message);
  });

  it('reads a small part of an archive thread by thread', async () => {
    const checked = open();
    const session = checked.session();
    const listing = { target: targetAt('inbox'), name: 'activity', wanted: 5 };
    const { posts, after } = await checked.platform.fetchListing(listing, null, session);
    expect(after).toMatch(/^\d{14}$/);
    expect(session.requests).toBe(2 + posts.length);
    expect(await checked.platform.fetchPosts([posts[0]!.id, 'ml_x.example_0'], session)).toEqual([posts[0]]);
  });
});
