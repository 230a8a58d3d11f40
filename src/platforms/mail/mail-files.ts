import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { parseSite } from '../../common/site-names.js';
import { decodedText } from '../feed/feed-encoding.js';
import { type Attempt, unreadable } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { type PageAnswer, refusedDocument, validatorsOf } from '../sites/site-page.js';
import type { Sites } from '../sites/sites.js';
import { charactersOf, readMail, type MailMessage } from './mail-message.js';
import { beginsMbox, mboxMessages } from './mbox.js';

/** Bytes of a document, as received. */
const MAX_BYTES = 16 * 1_024 * 1_024;
/** Bytes of an mbox file that are read, decompressed. */
const MAX_MBOX_BYTES = 256 * 1_024 * 1_024;
/** Characters of the messages that a process keeps. */
const MAX_KEPT_CHARACTERS = 96 * 1_024 * 1_024;
const MAX_REDIRECTS = 3;
/** Messages that are read before other work gets its turn. */
const MESSAGES_AT_ONCE = 20;
const CHUNK_BYTES = 64 * 1_024;
const GZIP = 0x1f8b;

/** A document that is no mbox file, and where it was found after redirects. */
export interface MailPage {
  address: URL;
  text: string;
}

/** An mbox file as last received. */
interface KeptMbox {
  messages: readonly MailMessage[];
  /** Messages that are too large or cannot be read. */
  unread: number;
  validators: Record<string, string>;
  /** Epoch milliseconds. */
  readAt: number;
  /** The sessions that have been given it, which do not ask again. */
  sessions: WeakSet<PlatformSession>;
}

type Answer =
  | { kind: 'found'; body: Buffer; contentType: string | null }
  | { kind: 'mbox'; kept: KeptMbox }
  | { kind: 'same' }
  | { kind: 'moved'; to: URL }
  | { kind: 'refused'; status: number };

/** The documents of archives that a process reads: pages, and mbox files, which it keeps. */
export class MailFiles {
  private readonly kept = new LRUCache<string, KeptMbox>({
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: ({ messages }) => 1 + charactersOf(messages),
  });
  private readonly pending = new WeakMap<
    PlatformSession,
    Map<string, Promise<readonly MailMessage[] | null>>
  >();

  constructor(private readonly sites: Sites) {}

  /** A page of an archive. Throws {@link PlatformError} where there is none. */
  async page(address: URL, accept: string, session: PlatformSession): Promise<MailPage> {
    let at = address;
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
      const answer = await this.ask(at, accept, {}, session, (page) => ({
        done: true,
        value: { kind: 'found', body: page.body, contentType: page.header('content-type') },
      }));
      if (answer.kind === 'found') return { address: at, text: decodedText(answer.body, answer.contentType) };
      if (answer.kind !== 'moved')
        throw refusedDocument('archive', at.href, answer.kind === 'refused' ? answer.status : 304);
      if (answer.to.host !== address.host)
        throw new PlatformError(
          'target_not_found',
          `${address.href} leads to ${answer.to.href}. Name that archive`,
        );
      at = answer.to;
    }
    throw new PlatformError('bad_answer', `${address.href} redirects without an end`);
  }

  /**
   * The messages of an mbox file, plain or compressed with gzip, in its order; null where there is no such file. One
   * that has been read after `settledAt` (epoch milliseconds) is not asked for again. Throws {@link PlatformError}.
   */
  async mbox(
    address: string,
    settledAt: number,
    session: PlatformSession,
  ): Promise<readonly MailMessage[] | null> {
    const known = this.kept.get(address);
    if (known !== undefined && (known.sessions.has(session) || known.readAt > settledAt))
      return known.messages;
    const pending = this.pendingOf(session);
    const reading = pending.get(address) ?? this.readMbox(address, known, session);
    pending.set(address, reading);
    return reading.finally(() => pending.delete(address));
  }

  private pendingOf(session: PlatformSession): Map<string, Promise<readonly MailMessage[] | null>> {
    const known = this.pending.get(session);
    if (known !== undefined) return known;
    const pending = new Map<string, Promise<readonly MailMessage[] | null>>();
    this.pending.set(session, pending);
    return pending;
  }

  private async readMbox(
    address: string,
    known: KeptMbox | undefined,
    session: PlatformSession,
  ): Promise<readonly MailMessage[] | null> {
    const accept = 'application/gzip, application/mbox, text/plain;q=0.9, */*;q=0.5';
    const answer = await this.ask(new URL(address), accept, known?.validators ?? {}, session, parsed);
    if (answer.kind === 'refused' && (answer.status === 404 || answer.status === 410)) return null;
    const kept =
      answer.kind === 'mbox'
        ? answer.kept
        : answer.kind === 'same' && known
          ? { ...known, readAt: Date.now() }
          : null;
    if (kept === null)
      throw refusedDocument('archive', address, answer.kind === 'refused' ? answer.status : 302);
    kept.sessions.add(session);
    this.kept.set(address, kept);
    if (answer.kind === 'mbox' && kept.unread > 0)
      session.onUnread?.(
        kept.unread,
        `${kept.unread} messages of ${address} are too large or cannot be read`,
      );
    return kept.messages;
  }

  private ask(
    address: URL,
    accept: string,
    validators: Record<string, string>,
    session: PlatformSession,
    read: (page: PageAnswer) => Attempt<Answer> | Promise<Attempt<Answer>>,
  ): Promise<Answer> {
    const site = parseSite(address.host);
    if (site === null)
      throw new PlatformError('target_not_found', `${address.href} is not the address of an archive`);
    return this.sites.of(site, address.protocol).page<Answer>(
      {
        what: `the archive ${address.href}`,
        address,
        headers: { accept, ...validators },
        maxBytes: MAX_BYTES,
        read: (page) => {
          if (page.status === 200) return read(page);
          const { status, goal } = page;
          const isSame = status === 304 && Object.keys(validators).length > 0;
          return {
            done: true,
            value: isSame
              ? { kind: 'same' }
              : goal !== null
                ? { kind: 'moved', to: goal }
                : { kind: 'refused', status },
          };
        },
      },
      session,
    );
  }
}

/** The messages in an answer. A file that ends in the middle of its compressed bytes is requested again. */
async function parsed({ body, header }: PageAnswer): Promise<Attempt<Answer>> {
  const kept: KeptMbox = {
    messages: [],
    unread: 0,
    validators: validatorsOf(header),
    readAt: Date.now(),
    sessions: new WeakSet(),
  };
  const messages: MailMessage[] = [];
  try {
    let count = 0;
    for await (const item of mboxMessages(
      requireMbox(bounded(decompressed(body), () => (kept.unread += 1))),
    )) {
      const message = item && (await readMail(item));
      if (message === null) kept.unread += 1;
      else messages.push(message);
      count += 1;
      if (count % MESSAGES_AT_ONCE === 0) await setImmediate();
    }
  } catch (error) {
    return unreadable((error as Error).message);
  }
  return { done: true, value: { kind: 'mbox', kept: { ...kept, messages } } };
}

async function* decompressed(body: Buffer): AsyncGenerator<Buffer> {
  if (body.length > 2 && body.readUInt16BE(0) === GZIP) {
    const gunzip = createGunzip();
    gunzip.end(body);
    for await (const chunk of gunzip) yield chunk as Buffer;
    return;
  }
  for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
}

/** Ends after so many bytes, and says so. */
async function* bounded(chunks: AsyncIterable<Buffer>, onCut: () => void): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_MBOX_BYTES) return onCut();
    yield chunk;
  }
}

/** Throws unless the first bytes are those of an mbox file; an empty one is one. */
async function* requireMbox(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && !beginsMbox(chunk)) throw new Error('no mbox file');
    isFirst = false;
    yield chunk;
  }
}
