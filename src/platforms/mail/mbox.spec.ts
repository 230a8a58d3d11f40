import { beginsMbox, MAX_MESSAGE_BYTES, type MboxItem, MboxSplitter } from './mbox.js';

const ENVELOPE = 'From ann@a.example Thu Jan 14 10:00:00 2024';

/** The items of a file that arrives in chunks of a size. */
function itemsOf(file: string | Buffer, size = 7): MboxItem[] {
  const bytes = Buffer.from(file);
  const splitter = new MboxSplitter();
  const items: MboxItem[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(...splitter.push(bytes.subarray(at, at + size)));
  return [...items, ...splitter.end()];
}
const textsOf = (items: readonly MboxItem[]): (string | null)[] =>
  items.map((item) => item && item.raw.toString());

describe('MboxSplitter', () => {
  it.each([1, 2, 7, 64, 10_000])('divides a file that arrives in chunks of %d bytes', (size) => {
    const file = `${ENVELOPE}\nA: 1\n\none\n\n${ENVELOPE}\nB: 2\n\ntwo\n`;
    const items = itemsOf(file, size);
    expect(textsOf(items)).toEqual(['A: 1\n\none\n\n', 'B: 2\n\ntwo\n']);
    expect(items.map((item) => item?.envelope)).toEqual([ENVELOPE, ENVELOPE]);
  });

  it.each([
    ['of public-inbox', 'From mboxrd@z Thu Jan  1 00:00:00 1970'],
    ['of Pipermail', 'From ann at a.example  Thu Jan 14 10:00:00 2024'],
    ['with a zone', 'From ann@a.example Thu Jan 14 10:00:00 +0000 2024'],
  ])('knows the envelope %s', (_, envelope) => {
    expect(textsOf(itemsOf(`${envelope}\nA: 1\n\n\n${envelope}\nB: 2\n\n`))).toHaveLength(2);
    expect(beginsMbox(Buffer.from(`${envelope}\nA: 1\n`))).toBe(true);
  });

  it.each([1, 2, 7, 64])('may begin with a byte order mark, in chunks of %d bytes', (size) => {
    const file = `\ufeff${ENVELOPE}\nA: 1\n\n\n${ENVELOPE}\nB: 2\n\n`;
    const items = itemsOf(file, size);
    expect(textsOf(items)).toEqual(['A: 1\n\n\n', 'B: 2\n\n']);
    expect(items[0]!.envelope).toBe(ENVELOPE);
    expect(beginsMbox(Buffer.from(file))).toBe(true);
  });

  it('takes no sentence that begins with From for an envelope', () => {
    const text = 'A: 1\n\nHi.\n\nFrom here on it is text.\n\nFrom 2024\nFrom x 10:00 2024\n';
    expect(textsOf(itemsOf(`${ENVELOPE}\n${text}`))).toEqual([text]);
  });

  it('takes one mark of quotation from lines that begin with From', () => {
    const file = `${ENVELOPE}\nA: 1\n\n>From a\n>>From b\n> From c\n`;
    expect(textsOf(itemsOf(file))).toEqual(['A: 1\n\nFrom a\n>From b\n> From c\n']);
  });

  it('reads lines that end as those of other systems, and keeps bytes as they are', () => {
    const envelope = `${ENVELOPE}\r\n`;
    const bytes = Buffer.concat([
      Buffer.from(`${envelope}A: 1\r\n\r\n`),
      Buffer.from([0xff, 0xe9]),
      Buffer.from(`\r\n\r\n${envelope}B: 2\r\n`),
    ]);
    const [first, second] = itemsOf(bytes);
    expect([...first!.raw.subarray(8, 10)]).toEqual([0xff, 0xe9]);
    expect(second!.raw.toString()).toBe('B: 2\r\n');
  });

  it.each([1, 3])('skips a message that is too large, and reads on: number %d', (count) => {
    const large = `${ENVELOPE}\nA: 1\n\n${'x'.repeat(MAX_MESSAGE_BYTES)}\n\n`.repeat(count);
    const items = itemsOf(`${large}${ENVELOPE}\nB: 2\n\n`, 64 * 1_024);
    expect(textsOf(items)).toEqual([...Array<null>(count).fill(null), 'B: 2\n\n']);
  });

  it.each(['', 'A: 1\n\ntext', '{"id": 1}\n'])('finds no message in a file that is none: "%s"', (file) => {
    expect(itemsOf(file)).toEqual([]);
    expect(beginsMbox(Buffer.from(file))).toBe(false);
  });
});
