import type { PlatformSession } from '../platform.js';
import type { MailFiles } from './mail-files.js';
import type { MailMessage } from './mail-message.js';
import type { MailVolume } from './mail-volumes.js';
import { VolumeArchive, type VolumePage } from './volume-archive.js';

const MONTHS = 12;
const message = (id: string, month: number, ...parents: string[]): MailMessage => ({
  id,
  parents,
  subject: id,
  author: 'ann',
  time: Date.UTC(2024, month, 10),
  text: id,
  list: null,
});

/** An archive of the months of 2024 with some messages, by their months (0 is January), and what is read of it. */
function archiveOf(messages: readonly MailMessage[]) {
  const read: string[] = [];
  const volumes: MailVolume[] = Array.from({ length: MONTHS }, (_, at) => MONTHS - 1 - at).map((month) => ({
    name: `m${month}`,
    start: Date.UTC(2024, month),
    file: `m${month}`,
  }));
  const files = {
    mbox: (file: string) => {
      read.push(file);
      return Promise.resolve(messages.filter(({ time }) => `m${new Date(time!).getUTCMonth()}` === file));
    },
  } as unknown as MailFiles;
  return { archive: new VolumeArchive(volumes, files, {} as PlatformSession), read };
}

/** The threads of a page, as the ids of their messages. */
const shown = ({ threads }: VolumePage): string[] =>
  threads.map(({ thread: { root, replies }, volume }) =>
    [volume.name, root.id, ...replies.map((reply) => reply.message.id)].join(' '),
  );

/** The threads of all pages, each page by an archive of its own. */
async function listed(messages: readonly MailMessage[]): Promise<string[]> {
  const all: string[] = [];
  let from: string | null = null;
  for (let page = 0; page < MONTHS; page += 1) {
    const { archive } = archiveOf(messages);
    const found: VolumePage = await archive.page(from, undefined);
    all.push(...shown(found));
    from = found.next;
  }
  expect(from).toBeNull();
  return all;
}

describe('VolumeArchive', () => {
  const slow = [message('a', 1), message('b', 4, 'a'), message('c', 7, 'b', 'a'), message('d', 10, 'c')];

  it.each([
    ['threads of one month', [message('a', 3), message('b', 3, 'a'), message('c', 4)], ['m4 c', 'm3 a b']],
    ['a thread of many months at its latest message', [...slow, message('e', 9)], ['m1 a b c d', 'm9 e']],
    ['replies to a message that is nowhere', [message('b', 5, 'x'), message('c', 6, 'x')], ['m5 b c']],
    ['a reply from very much later as a thread', [message('a', 1), message('b', 9, 'a')], ['m9 b', 'm1 a']],
  ])('lists %s, also page by page in other processes', async (_, messages, threads) => {
    expect(await listed(messages)).toEqual(threads);
  });

  it('reads for a pass the months since the last one, back to where threads begin', async () => {
    const { archive, read } = archiveOf([...slow, message('e', 2), message('f', 11)]);
    const page = await archive.page(null, new Date('2024-11-20T00:00:00Z'));
    expect([shown(page), page.next]).toEqual([['m11 f', 'm1 a b c d'], null]);
    expect(new Set(read).size).toBe(read.length);
    const { archive: other, read: few } = archiveOf([
      message('a', 1),
      message('b', 11),
      message('c', 11, 'b'),
    ]);
    expect(shown(await other.page(null, new Date('2024-12-20T00:00:00Z')))).toEqual(['m11 b c']);
    expect(few).toEqual(['m11']);
  });

  it('finds the thread of a message in its month and later ones', async () => {
    const { archive } = archiveOf([...slow, message('e', 1)]);
    const thread = await archive.find('m1', ({ id }) => id === 'a');
    expect(thread?.replies.map((reply) => reply.message.id)).toEqual(['b', 'c', 'd']);
    expect(await archive.find('m2', ({ id }) => id === 'a')).toBeNull();
    expect(await archive.find('none', () => true)).toBeNull();
  });
});
