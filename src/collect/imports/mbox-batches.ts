import { basename } from 'node:path';
import { siteId } from '../../common/site-names.js';
import { type MailMessage, readMail } from '../../platforms/mail/mail-message.js';
import { placeAt } from '../../platforms/mail/mail-places.js';
import {
  commentOf,
  MAIL_PREFIX,
  mailHash,
  mailId,
  type MailPlace,
  postOf,
} from '../../platforms/mail/mail-posts.js';
import { archiveForum, readMailAddress } from '../../platforms/mail/mail-target.js';
import { beginsMbox, mboxMessages } from '../../platforms/mail/mbox.js';
import { BATCH_ROWS, type DumpBatch, emptyBatch, setNew } from './dump-batches.js';
import type { DumpSelection } from './dump-filter.js';
import { NotADump, refuseUnreadable } from './dump-format.js';
import { DumpReader } from './dump-reader.js';
import { type MboxOutline, outlineOf } from './mbox-outline.js';

/** Whether a file, decompressed, begins as an mbox file does. Throws `NotADump` for a file of another kind. */
export async function isMbox(file: string): Promise<boolean> {
  for await (const chunk of new DumpReader(file).bytes()) return beginsMbox(chunk);
  return false;
}

/**
 * The messages of an mbox file after those that are `done`, of which some were damaged: the first of a thread as a post,
 * the others as comments. Lines count messages. The file is read twice, so that each message is known to belong to its
 * thread, wherever that begins. Throws {@link NotADump} for a file without messages or with too many.
 */
export async function* mboxBatches(
  reader: DumpReader,
  file: string,
  { forums, authors }: DumpSelection,
  done: Pick<DumpBatch, 'lines' | 'damagedLines'>,
): AsyncGenerator<DumpBatch> {
  const outline = await outlineOf(new DumpReader(file).bytes(), basename(file));
  if (outline.roots.size === 0) refuseUnreadable(file, 'no message of it can be read');
  const place = placeAt(addressOf(file, forums, outline.list));
  const selected = new Set(authors.map((name) => name.toLowerCase()));
  let batch = emptyBatch(0, done.damagedLines);
  for await (const item of mboxMessages(reader.bytes())) {
    batch.lines += 1;
    if (batch.lines <= done.lines) continue;
    const mail = item && (await readMail(item));
    if (mail === null) batch.damagedLines += 1;
    else if (selected.size === 0 || selected.has(mail.author.toLowerCase())) add(batch, mail, outline, place);
    if (batch.posts.size + batch.comments.size < BATCH_ROWS) continue;
    yield batch;
    batch = emptyBatch(batch.lines, batch.damagedLines);
  }
  yield { ...batch, isLast: true };
}

function add(batch: DumpBatch, mail: MailMessage, { roots, replies }: MboxOutline, place: MailPlace): void {
  const hash = mailHash(mail.id);
  const own = roots.get(hash);
  if (own !== undefined) return setNew(batch.posts, postOf(mail, own.replies, place));
  const placed = replies.get(hash);
  if (placed === undefined) return void (batch.damagedLines += 1);
  const { root, parent, depth } = placed;
  const { message } = roots.get(root)!;
  const { site, forum } = place;
  const post = { id: mailId(site, message.id), forum, permalink: place.permalinkOf(message) };
  const parentId = siteId(MAIL_PREFIX, site, parent);
  setNew(batch.comments, commentOf(mail, { post, rootAuthor: message.author, site }, { parentId, depth }));
}

/** The archive to which the messages belong: the one that is selected, that they name, or one named like the file. */
function addressOf(file: string, forums: readonly string[], list: string | null): URL {
  const [forum] = forums;
  if (forum !== undefined && archiveForum(forum) === null)
    throw new NotADump(
      `${basename(file)} is an mbox file. Name its archive, such as --forum mail:https://lists.example.org/pipermail/talk/`,
    );
  const named = readMailAddress(forum ?? list ?? '');
  const name = basename(file).replace(/(?:\.(?:mbox|mbx|txt|gz|zst))+$/i, '');
  return named ?? new URL(`https://mbox.invalid/${encodeURIComponent(name)}/`);
}
