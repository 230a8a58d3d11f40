/** Larger messages are skipped: their size is that of files, not of text. */
export const MAX_MESSAGE_BYTES = 4 * 1_024 * 1_024;
/** Bytes of an envelope line; a longer line that begins with `From ` is text. */
const MAX_ENVELOPE_BYTES = 1_000;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const MARK = Buffer.from('From ');
const NEXT_MARK = Buffer.from('\n\nFrom ');
const NEXT_MARK_CRLF = Buffer.from('\r\n\r\nFrom ');
/** The line before a message: an address in any spelling, and a time. */
const ENVELOPE = /^From \S.*\d{1,2}:\d{2}.*\d{4}/;

/** A message of an mbox file, as sent: without its envelope line, `>From ` unquoted. */
export interface MboxMessage {
  /** The line before the message: `From ADDRESS TIME`. */
  envelope: string;
  raw: Buffer;
}

/** What an mbox file holds, in its order; null stands for a message that is larger than {@link MAX_MESSAGE_BYTES}. */
export type MboxItem = MboxMessage | null;

/** Whether a file begins as an mbox file does. */
export function beginsMbox(bytes: Buffer): boolean {
  const head = bytes.subarray(markLength(bytes));
  const end = head.indexOf(10);
  return ENVELOPE.test(head.toString('latin1', 0, end < 0 ? MAX_ENVELOPE_BYTES : end));
}

/** Divides an mbox file into its messages, in chunks of any size; holds no more than one message and one chunk. */
export class MboxSplitter {
  /** Begins with the envelope of the message that is being read, as soon as one was found. */
  private rest = Buffer.alloc(0);
  private isBegun = false;
  /** Whether bytes of the message were dropped, because it is too large. */
  private isOversized = false;

  /** The messages that end in the next chunk. */
  push(chunk: Buffer): MboxItem[] {
    const before = this.rest.length;
    this.rest = Buffer.concat([this.rest, chunk]);
    const items: MboxItem[] = [];
    if (!this.isBegun && !this.begin()) return items;
    // An envelope may have begun in the chunk before.
    let from = Math.max(1, before - MAX_ENVELOPE_BYTES);
    for (;;) {
      const next = nextEnvelope(this.rest, from);
      if (next < 0) break;
      items.push(this.item(next));
      this.rest = this.rest.subarray(next);
      this.isOversized = false;
      from = 1;
    }
    if (this.rest.length > MAX_MESSAGE_BYTES) {
      this.isOversized = true;
      this.rest = Buffer.from(this.rest.subarray(-MAX_ENVELOPE_BYTES));
    }
    return items;
  }

  /** The last message. */
  end(): MboxItem[] {
    return this.isBegun ? [this.item(this.rest.length)] : [];
  }

  /** Text before the first envelope is no message. */
  private begin(): boolean {
    const first = markLength(this.rest);
    const isFirst = this.rest.subarray(first, first + MARK.length).equals(MARK);
    const start = isFirst ? first : nextEnvelope(this.rest, 0);
    this.isBegun = start >= 0;
    this.rest = this.isBegun ? this.rest.subarray(start) : this.rest.subarray(-MAX_ENVELOPE_BYTES);
    return this.isBegun;
  }

  private item(end: number): MboxItem {
    if (this.isOversized || end > MAX_MESSAGE_BYTES) return null;
    const line = this.rest.indexOf(10);
    const start = line < 0 || line >= end ? end : line + 1;
    return {
      envelope: this.rest.toString('latin1', 0, start).trimEnd(),
      raw: unquoted(this.rest.subarray(start, end)),
    };
  }
}

/** Bytes of a byte order mark at the beginning. */
const markLength = (bytes: Buffer): number =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;

/** Where the next message begins: after an empty line, with a whole envelope line; -1 when there is none. */
function nextEnvelope(bytes: Buffer, from: number): number {
  const [lf, crlf] = [positionsOf(bytes, NEXT_MARK, from), positionsOf(bytes, NEXT_MARK_CRLF, from)];
  let [a, b] = [lf(), crlf()];
  while (a >= 0 || b >= 0) {
    const isFirst = b < 0 || (a >= 0 && a < b);
    const at = isFirst ? a : b;
    const end = bytes.indexOf(10, at);
    if (end < 0) return -1;
    if (end - at < MAX_ENVELOPE_BYTES && ENVELOPE.test(bytes.toString('latin1', at, end))) return at;
    if (isFirst) a = lf();
    else b = crlf();
  }
  return -1;
}

/** The places of `From ` after an empty line, one after another; -1 at the end. */
function positionsOf(bytes: Buffer, mark: Buffer, from: number): () => number {
  let at = from - mark.length;
  return () => {
    at = at === -Infinity ? -1 : bytes.indexOf(mark, Math.max(0, at + 1));
    if (at >= 0) return at + mark.length - MARK.length;
    at = -Infinity;
    return -1;
  };
}

/** The text without the `>` that mbox files put before lines that begin with `From `. */
function unquoted(raw: Buffer): Buffer {
  return raw.includes('>From ')
    ? Buffer.from(raw.toString('latin1').replace(/^>(>{0,100}From )/gm, '$1'), 'latin1')
    : Buffer.from(raw);
}

/** The messages of an mbox file that is read as a stream, in its order. */
export async function* mboxMessages(chunks: AsyncIterable<Buffer>): AsyncGenerator<MboxItem> {
  const splitter = new MboxSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}
