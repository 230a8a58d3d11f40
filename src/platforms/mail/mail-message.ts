import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import PostalMime, { decodeWords } from 'postal-mime';
import { feedTime } from '../feed/feed-time.js';
import { plainText } from '../http/plain-text.js';
import {
  MAX_AHEAD_MS,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  storableText,
  visibleText,
} from '../http/response-parsing.js';
import { authorNamed } from '../post-fields.js';
import type { MboxMessage } from './mbox.js';

/** A message of a mailing list. */
export interface MailMessage {
  /** Its `Message-ID` without angle brackets; a hash of its headers where it has none. */
  id: string;
  /** The ids of the messages above it, nearest first; the first is the one that it replies to. */
  parents: readonly string[];
  subject: string;
  author: string;
  /** Epoch milliseconds; null where it has no time that can be read. */
  time: number | null;
  text: string;
  /** The address of its archive or the id of its list, as the message names it; null without one. */
  list: string | null;
}

/** Nested parts that are read, and bytes of the headers of all of them. */
const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 512 * 1_024, maxRfc822NestingDepth: 2 };
const MAX_HEADER_LENGTH = 4_000;
/** Longer lists of references are cut at their oldest; threads are not as deep. */
const MAX_PARENTS = 200;
const EARLIEST_MS = Date.UTC(1980, 0);
/** The time of an envelope as `ctime` writes it, with or without a zone. */
const ENVELOPE_TIME =
  /(\w{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?)\s+(?:([A-Z]{1,5}|[+-]\d{4})\s+)?(\d{4})(?:\s+([+-]\d{4}))?\s*$/;
const ADDRESS = /([^\s@<>"'(),;:]{1,100})(?:@| at )[^\s@<>"'(),;:]{1,200}/g;

/** Headers of which a message has at least one. */
const EXPECTED = ['from', 'date', 'subject', 'message-id'];

/** Characters of the fields of a message beside its text, about. */
const FIELD_CHARACTERS = 500;

/** How many characters messages take in memory, about. */
export const charactersOf = (messages: readonly MailMessage[]): number =>
  messages.reduce((sum, { text }) => sum + text.length + FIELD_CHARACTERS, 0);

/** The headers of a message, without its parts. */
export function headOf(raw: Buffer): Buffer {
  const ends = ['\n\n', '\r\n\r\n'].map((mark) => raw.indexOf(mark)).filter((end) => end >= 0);
  return raw.subarray(0, ends.length === 0 ? raw.length : Math.min(...ends));
}

/** Reads a message; null for one that is none: without headers, or with more parts than any has. */
export async function readMail({ envelope, raw }: MboxMessage): Promise<MailMessage | null> {
  const email = await PostalMime.parse(inUtf8(raw), LIMITS).catch(() => null);
  if (email === null) return null;
  const headers = new Map<string, string>();
  // The first of several counts: those added later stand above it.
  for (const { key, value } of email.headers)
    if (!headers.has(key)) headers.set(key, value.slice(0, MAX_HEADER_LENGTH));
  if (!EXPECTED.some((name) => headers.has(name))) return null;
  const header = (name: string): string => headers.get(name) ?? '';
  const [own] = idsIn(header('message-id'));
  const id = own ?? `no-id-${createHash('sha256').update(headOf(raw)).digest('hex').slice(0, 32)}`;
  const references = email.headers.find(({ key }) => key === 'references')?.value ?? '';
  const above = [...idsIn(header('in-reply-to')).slice(0, 1), ...idsIn(references).reverse()];
  return {
    id,
    parents: [...new Set(above)].filter((one) => one !== id).slice(0, MAX_PARENTS),
    subject: mailSubject(header('subject')),
    author: mailAuthor(header('from')),
    time: timeOf(header('date'), header('received'), envelope),
    text: mailText(email),
    list: listOf(header('list-archive'), header('list-id')),
  };
}

/** The ids in a header, in its order. Some archives write ` at ` for `@` there, too. */
export function idsIn(header: string): string[] {
  return [...header.matchAll(/<([^<>]{1,998})>/g)].flatMap(([, id]) => {
    const written = id!.replace(/\s+/g, ' ').replace(' at ', '@').replaceAll(' ', '');
    return written === '' ? [] : written;
  });
}

/** The name of the author in a `From` header: never an address, of which only the part before `@` is shown. */
export function mailAuthor(from: string): string {
  const [, named = null] = /^([^<]*)</.exec(from) ?? [];
  // `user at example.org (Name)`, as Pipermail writes it.
  const [, commented = null] = /^\s*[^\s()]+(?:\s+at\s+[^\s()]+)?\s+\((.*)\)\s*$/.exec(from) ?? [];
  const name = decodeWords(
    (named ?? commented ?? '')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(.)/g, '$1'),
  );
  const shown = withoutAddresses(name).trim();
  return authorNamed(shown !== '' ? shown : withoutAddresses(from.replace(/[<>]/g, ' ').trim()));
}

const withoutAddresses = (text: string): string => text.replace(ADDRESS, '$1');

/** When a message was sent; when it arrived, where the sender's clock is wrong. */
function timeOf(date: string, received: string, envelope: string): number | null {
  const [, month, day, clock, zone, year, offset] = ENVELOPE_TIME.exec(envelope) ?? [];
  const arrived = [
    feedTime(received.slice(received.lastIndexOf(';') + 1)),
    year === undefined ? null : feedTime(`${day} ${month} ${year} ${clock} ${offset ?? zone ?? ''}`),
  ].find((time) => time !== null && isPossible(time, Date.now()));
  const sent = feedTime(date);
  return sent !== null && isPossible(sent, arrived ?? Date.now()) ? sent : (arrived ?? null);
}

const isPossible = (time: number, latest: number): boolean =>
  time >= EARLIEST_MS && time <= latest + MAX_AHEAD_MS;

/** The text of a `Subject` header in one line. */
export function mailSubject(subject: string): string {
  return visibleText(decodeWords(subject).replace(/\s+/g, ' ').trim(), MAX_TITLE_LENGTH);
}

/** The plain text, with its quotes and its signature; that of the HTML where there is no other. */
export function mailText({ text, html }: { text?: string | undefined; html?: string | undefined }): string {
  const plain = text ?? '';
  if (plain.trim() === '' && html !== undefined) return plainText(html, MAX_BODY_LENGTH);
  return storableText(plain.replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd(), MAX_BODY_LENGTH);
}

/** The archive that a message names, else the id of its list. */
function listOf(archive: string, id: string): string | null {
  const [, address] = /<(https?:\/\/[^<>\s]+)>/i.exec(archive) ?? [];
  const [, name] = /<([^<>\s]+)>\s*$/.exec(id) ?? [];
  return address ?? name ?? null;
}

/** The bytes in UTF-8, where nothing in a message says what they are in. */
function inUtf8(raw: Buffer): Buffer {
  if (raw.includes('charset')) return raw;
  const label = raw.includes('\u001b$') ? 'iso-2022-jp' : isUtf8(raw) ? null : 'windows-1252';
  return label === null ? raw : Buffer.from(new TextDecoder(label).decode(raw));
}
