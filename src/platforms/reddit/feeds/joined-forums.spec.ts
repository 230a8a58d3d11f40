import { PlatformError, type PlatformSession } from '../../platform.js';
import type { FeedItem } from './reddit-feed-items.js';
import { isSingleForum, JoinedForums } from './joined-forums.js';

const session = (signal = new AbortController().signal): PlatformSession => ({
  signal,
  workspaceId: 'w',
  priority: 'high',
  onRequest: () => undefined,
});
const itemOf = (forum: string): FeedItem => ({
  id: `t3_${forum.toLowerCase()}`,
  row: { subreddit: forum },
  postId: null,
  time: 0,
});

describe('forums that are read together', () => {
  /** The forums of each request, which ends when the returned function is called. */
  function held() {
    const requests: { forums: readonly string[]; end: (error?: Error) => void }[] = [];
    const joined = new JoinedForums(
      (forums) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => (error ? reject(error) : resolve(forums.map(itemOf)));
          requests.push({ forums, end });
        }),
    );
    return { joined, requests };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('gather while a request is in flight, up to ten for the next one', async () => {
    const { joined, requests } = held();
    const names = Array.from({ length: 13 }, (_, index) => `Forum${index}`);
    const read = names.map((name) => joined.items(name, session()));
    expect(requests.map(({ forums }) => forums.length)).toEqual([1]);
    requests[0]!.end();
    await settle();
    requests[1]!.end();
    await settle();
    requests[2]!.end();
    const items = await Promise.all(read);
    expect(requests.map(({ forums }) => forums.length)).toEqual([1, 10, 2]);
    expect(items.map((one) => one.items.map(({ id }) => id))).toEqual(
      names.map((name) => [`t3_${name.toLowerCase()}`]),
    );
    expect(items.map(({ isJoined, all }) => [isJoined, all.length]).slice(0, 2)).toEqual([
      [false, 1],
      [true, 10],
    ]);
  });

  it('share one request for the same forum, and leave out jobs that have ended', async () => {
    const { joined, requests } = held();
    const ended = new AbortController();
    const first = joined.items('one', session());
    const gone = joined.items('gone', session(ended.signal));
    const both = [joined.items('two', session()), joined.items('TWO', session())];
    ended.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    requests[0]!.end();
    await first;
    await settle();
    expect(requests[1]!.forums).toEqual(['two']);
    requests[1]!.end();
    expect(await Promise.all(both)).toHaveLength(2);
  });

  it('are read one by one when Reddit refuses them together', async () => {
    const { joined, requests } = held();
    const first = joined.items('zero', session());
    const good = joined.items('good', session());
    const bad = joined.items('bad', session());
    requests[0]!.end();
    await first;
    await settle();
    requests[1]!.end(new PlatformError('target_private', 'private'));
    await settle();
    requests[2]!.end();
    await settle();
    requests[3]!.end(new PlatformError('target_private', 'bad is private'));
    await expect(bad).rejects.toThrow('bad is private');
    expect((await good).items).toHaveLength(1);
    expect(requests.map(({ forums }) => forums)).toEqual([['zero'], ['good', 'bad'], ['good'], ['bad']]);
  });

  it('all fail with a request that fails for another reason', async () => {
    const { joined, requests } = held();
    const read = joined.items('one', session());
    requests[0]!.end(new PlatformError('unavailable', 'down'));
    await expect(read).rejects.toThrow('down');
    const again = joined.items('one', session());
    await settle();
    requests[1]!.end();
    expect((await again).items).toHaveLength(1);
  });

  it.each([
    ['rust', true],
    ['all', false],
    ['a+b', false],
    ['u_name', true],
    ['t:topic', false],
  ])('include %s: %s', (name, isSingle) => {
    expect(isSingleForum(name)).toBe(isSingle);
  });
});
