import { threadsOf } from './mail-threads.js';

const message = (id: string, ...parents: string[]) => ({ id, parents, time: id.charCodeAt(0) });
/** Threads as texts: the root, then each reply with what it hangs on and its depth. */
const shown = (messages: readonly ReturnType<typeof message>[]): string[] =>
  threadsOf(messages).map(({ root, replies }) =>
    [root.id, ...replies.map((one) => `${one.message.id}<${one.parent}:${one.depth}`)].join(' '),
  );

describe('threadsOf', () => {
  it.each([
    [
      'replies hang on what they reply to',
      [message('a'), message('b', 'a'), message('c', 'b', 'a')],
      ['a b<a:0 c<b:1'],
    ],
    [
      'messages come in any order',
      [message('c', 'b', 'a'), message('b', 'a'), message('a')],
      ['a b<a:0 c<b:1'],
    ],
    [
      'a reply to a missing message hangs on the root',
      [message('a'), message('b', 'a'), message('c', 'x', 'b', 'a')],
      ['a b<a:0 c<a:0'],
    ],
    [
      'the first of those whose root is missing is the root',
      [message('b', 'x'), message('c', 'x'), message('d', 'y', 'x')],
      ['b c<b:0 d<b:0'],
    ],
    [
      'a message that is there twice counts once',
      [message('a'), message('b', 'a'), message('b', 'a')],
      ['a b<a:0'],
    ],
    ['messages without references are threads', [message('a'), message('b')], ['a', 'b']],
    [
      'a circle begins somewhere',
      [message('a', 'b'), message('b', 'c'), message('c', 'a')],
      expect.anything(),
    ],
  ])('%s', (_, messages, threads) => {
    expect(shown(messages)).toEqual(threads);
  });

  it('loses no message of a circle', () => {
    const threads = threadsOf([message('a', 'b'), message('b', 'c'), message('c', 'a')]);
    const ids = threads.flatMap(({ root, replies }) => [root.id, ...replies.map((one) => one.message.id)]);
    expect(ids.sort()).toEqual(['a', 'b', 'c']);
  });

  it('reads chains of any length', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => ({
      id: `${at}`,
      parents: at === 0 ? [] : [`${at - 1}`],
      time: at,
    }));
    const [thread, ...others] = threadsOf(chain);
    expect([others.length, thread!.replies.length, thread!.replies.at(-1)!.depth]).toEqual([
      0, 19_999, 19_998,
    ]);
  });
});
