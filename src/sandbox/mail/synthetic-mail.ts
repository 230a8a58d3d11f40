import type { Conversations, Opening, Statement } from '../data/conversation.js';

/** A message of the synthetic mailing list. */
export interface SyntheticMail {
  id: string;
  /** The ids above it, oldest first; empty for one that begins a thread. */
  references: readonly string[];
  statement: Statement;
  subject: string;
}

/** The `Message-ID` of the message that begins a thread. */
export const openingId = (index: number): string => `p${index}@mail.example`;
/** The `Message-ID` of a reply. */
export const replyId = (index: number, reply: number): string => `p${index}r${reply}@mail.example`;

/** A thread, in the order of its messages. */
export function mailsOf(all: Conversations, opening: Opening): SyntheticMail[] {
  const first = { id: openingId(opening.index), references: [], statement: opening, subject: opening.title };
  const mails: SyntheticMail[] = [first];
  for (const [at, reply] of all.replies(opening.index).entries()) {
    const above = mails[reply.parent + 1] ?? first;
    mails.push({
      id: replyId(opening.index, at),
      references: [...above.references, above.id],
      statement: reply,
      subject: `Re: ${opening.title}`,
    });
  }
  return mails;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The time in an envelope line, as `ctime` writes it. */
function envelopeTime(time: Date): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString())!;
  return `${WEEKDAYS[time.getUTCDay()]} ${month} ${day!.padStart(2)} ${clock} ${year}`;
}

/** A message in an mbox file; `obscured` as Pipermail writes it, with addresses that programs shall not find. */
export function mboxOf(mail: SyntheticMail, obscured: boolean): string {
  const { id, references, statement, subject } = mail;
  const local = encodeURIComponent(statement.author.toLowerCase());
  const parent = references.at(-1);
  const headers = [
    obscured
      ? `From: ${local} at mail.example (${encoded(statement.author)})`
      : `From: ${encoded(statement.author)} <${local}@mail.example>`,
    `Date: ${statement.createdAt.toUTCString().replace('GMT', '+0000')}`,
    `Subject: ${encoded(subject)}`,
    ...(parent === undefined ? [] : [`In-Reply-To: <${parent}>`]),
    ...(references.length === 0 ? [] : [`References: ${references.map((one) => `<${one}>`).join('\n\t')}`]),
    `Message-ID: <${id}>`,
    ...(obscured ? [] : ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit']),
  ];
  const sender = obscured ? `${local} at mail.example ` : 'mboxrd@z';
  const text = statement.text.replace(/^(>*From )/gm, '>$1');
  return `From ${sender} ${envelopeTime(statement.createdAt)}\n${headers.join('\n')}\n\n${text}\n\n`;
}

/** A word of a header in the form for characters beyond ASCII. */
const encoded = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
