import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { base32 } from '../../common/base32.js';
import { groupBy } from '../../common/collections.js';
import { Conversations } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, page } from '../server/answer.js';
import { htmlOf } from '../text/html.js';
import { escapeEntities } from '../wire/things.js';
import { mailsOf, mboxOf, openingId, type SyntheticMail } from './synthetic-mail.js';

const LIST = 'talk@mail.example';
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
/** Messages of a document of the Atom feed. */
const FEED_SIZE = 25;

/** A synthetic mailing list in archives of public-inbox, Pipermail and HyperKitty. Maps a path to a response. */
export class MailRoutes {
  private readonly threads: Conversations;

  constructor(data: DataSet) {
    this.threads = new Conversations(data, 'technology');
  }

  answer(path: string, params: URLSearchParams): Answer {
    const [, archive = '', below = ''] =
      /^\/(inbox|closed|pipermail\/talk|archives\/list\/talk@mail\.example)\/(.*)$/.exec(path) ?? [];
    // One of public-inbox that does not give all of its messages at once.
    if (archive === 'closed' && below === 'all.mbox.gz') return page(404, 'Not Found', 'Not Found');
    if (archive === 'inbox' || archive === 'closed') return this.inbox(below, params);
    if (archive === 'pipermail/talk') return this.pipermail(below);
    return archive === '' ? page(404, 'Not Found', 'Not Found') : this.hyperkitty(below, params);
  }

  private inbox(below: string, params: URLSearchParams): Answer {
    if (below === '')
      return html('<link rel="alternate" title="Atom feed" href="new.atom" type="application/atom+xml"/>');
    if (below === 'new.atom') return this.atom(params.get('t'));
    if (below === 'all.mbox.gz') return mbox(this.mails(), false, true);
    const [, id = ''] = /^([^/]+)\/t\.mbox\.gz$/.exec(below) ?? [];
    const thread = this.thread(decodeURIComponent(id));
    return thread.length === 0 ? page(404, 'Not Found', 'Not Found') : mbox(thread, false, true);
  }

  private pipermail(below: string): Answer {
    const months = this.months();
    if (below === '')
      return html(
        [...months.keys()]
          .map((month) => `<a href="${month}/thread.html">[ Thread ]</a><a href="${month}.txt">[ Text ]</a>`)
          .join('\n'),
      );
    const [, month = ''] = /^([\w-]+)\.txt$/.exec(below) ?? [];
    const mails = months.get(month);
    return mails === undefined ? page(404, 'Not Found', 'Not Found') : mbox(mails, true, false);
  }

  private hyperkitty(below: string, params: URLSearchParams): Answer {
    if (below === '')
      return html(
        [...this.months().values()]
          .map(([{ statement } = this.mails()[0]!]) => statement.createdAt)
          .map((time) => `<a href="${time.getUTCFullYear()}/${time.getUTCMonth() + 1}/">Month</a>`)
          .join('\n'),
      );
    const thread = params.get('thread');
    if (thread !== null) return this.exported(thread);
    const [start, end] = [params.get('start'), params.get('end')].map((day) => Date.parse(day ?? ''));
    if (!below.startsWith(`export/${LIST}-`)) return page(404, 'Not Found', 'Not Found');
    const isIn = ({ statement: { createdAt } }: SyntheticMail): boolean =>
      createdAt.getTime() >= start! && createdAt.getTime() < end!;
    return mbox(this.mails().filter(isIn), false, true);
  }

  /** The thread that begins with a message, by the hash of its id. */
  private exported(hash: string): Answer {
    const opening = this.threads.all().find(({ index }) => hashOf(openingId(index)) === hash);
    return opening === undefined
      ? page(404, 'Not Found', 'Not Found')
      : mbox(mailsOf(this.threads, opening), false, true);
  }

  /** All messages, oldest first. */
  private mails(): SyntheticMail[] {
    return this.threads
      .all()
      .flatMap((opening) => mailsOf(this.threads, opening))
      .sort((a, b) => a.statement.createdAt.getTime() - b.statement.createdAt.getTime());
  }

  private thread(id: string): SyntheticMail[] {
    const [, index = ''] = /^p(\d+)(?:r\d+)?@/.exec(id) ?? [];
    const opening = index === '' ? null : this.threads.find(Number(index));
    return opening === null ? [] : mailsOf(this.threads, opening);
  }

  /** The messages of each month, newest month first. */
  private months(): Map<string, SyntheticMail[]> {
    const monthOf = ({ statement: { createdAt: time } }: SyntheticMail): string =>
      `${time.getUTCFullYear()}-${MONTHS[time.getUTCMonth()]}`;
    return new Map([...groupBy(this.mails(), monthOf)].reverse());
  }

  /** The newest messages that arrived up to a time, as public-inbox writes times. */
  private atom(before: string | null): Answer {
    const entries = this.mails()
      .reverse()
      .filter(({ statement }) => before === null || feedTimeOf(statement.createdAt) <= before)
      .slice(0, FEED_SIZE)
      .map(entryOf);
    return {
      status: 200,
      headers: { 'content-type': 'application/atom+xml; charset=UTF-8' },
      body: `<?xml version="1.0" encoding="us-ascii"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0"><title>talk</title>${entries.join('')}</feed>\n`,
    };
  }
}

/** How HyperKitty names a message. */
const hashOf = (id: string): string => base32(createHash('sha1').update(id).digest());

const feedTimeOf = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(0, 14);

function entryOf({ id, references, statement, subject }: SyntheticMail): string {
  const parent = references.at(-1);
  const reply =
    parent === undefined
      ? ''
      : `<thr:in-reply-to ref="urn:synthetic:${parent}" href="${encodeURIComponent(parent)}/"/>`;
  return (
    `<entry><author><name>${escapeEntities(statement.author)}</name></author><title type="html">${escapeEntities(escapeEntities(subject))}</title>` +
    `<updated>${statement.createdAt.toISOString().slice(0, 19)}Z</updated><link href="${encodeURIComponent(id)}/"/><id>urn:synthetic:${id}</id>${reply}` +
    `<content type="html">${escapeEntities(htmlOf(statement.text))}</content></entry>`
  );
}

function mbox(mails: readonly SyntheticMail[], obscured: boolean, compressed: boolean): Answer {
  const text = mails.map((mail) => mboxOf(mail, obscured)).join('');
  return {
    status: 200,
    headers: { 'content-type': compressed ? 'application/gzip' : 'text/plain; charset=utf-8' },
    body: compressed ? gzipSync(text) : text,
  };
}

function html(body: string): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: `<!doctype html>\n<html><head><title>talk</title></head><body>${body}</body></html>\n`,
  };
}
