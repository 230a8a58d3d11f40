import { headOf, readMail, type MailMessage } from '../../platforms/mail/mail-message.js';
import { mailHash } from '../../platforms/mail/mail-posts.js';
import { type Threaded, threadsOf } from '../../platforms/mail/mail-threads.js';
import { mboxMessages } from '../../platforms/mail/mbox.js';
import { NotADump } from './dump-format.js';

/** More messages would take more memory than an import has. */
const MAX_MESSAGES = 300_000;
/** References of a message that are kept, nearest first, beside the oldest one. */
const MAX_NEAR = 8;

/** The message that begins a thread. */
export interface OutlinedRoot {
  message: Pick<MailMessage, 'id' | 'time' | 'author'>;
  /** Number of messages below it. */
  replies: number;
}

/** The place of a message below another one, all by their hashes. */
export interface OutlinedReply {
  root: string;
  parent: string;
  depth: number;
}

/** The threads of an mbox file, by the hashes of its messages. */
export interface MboxOutline {
  roots: ReadonlyMap<string, OutlinedRoot>;
  replies: ReadonlyMap<string, OutlinedReply>;
  /** The archive or the id of the list, as the first message that has one names it. */
  list: string | null;
}

/** Reads the headers of all messages of an mbox file. Throws {@link NotADump} when it has too many. */
export async function outlineOf(chunks: AsyncIterable<Buffer>, file: string): Promise<MboxOutline> {
  const heads: (Threaded & Pick<OutlinedRoot, 'message'>)[] = [];
  let list: string | null = null;
  for await (const item of mboxMessages(chunks)) {
    const mail = item && (await readMail({ ...item, raw: Buffer.concat([headOf(item.raw), HEAD_END]) }));
    if (mail === null) continue;
    list ??= mail.list;
    const { id, time, author, parents } = mail;
    const near = parents.length > MAX_NEAR + 1 ? [...parents.slice(0, MAX_NEAR), parents.at(-1)!] : parents;
    heads.push({ id: mailHash(id), parents: near.map(mailHash), time, message: { id, time, author } });
    if (heads.length > MAX_MESSAGES)
      throw new NotADump(`${file} has more than ${MAX_MESSAGES} messages. Divide it, and import the parts`);
  }
  const roots = new Map<string, OutlinedRoot>();
  const replies = new Map<string, OutlinedReply>();
  for (const thread of threadsOf(heads)) {
    roots.set(thread.root.id, { message: thread.root.message, replies: thread.replies.length });
    for (const { message, parent, depth } of thread.replies)
      replies.set(message.id, { root: thread.root.id, parent, depth });
  }
  return { roots, replies, list };
}

const HEAD_END = Buffer.from('\n\n');
