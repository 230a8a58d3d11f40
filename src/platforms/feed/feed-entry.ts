import { decodeHTMLStrict } from 'entities';
import { beginningOf } from '../../common/strings.js';
import { plainText } from '../http/plain-text.js';
import { MAX_BODY_LENGTH, MAX_TITLE_LENGTH, storableText, visibleText } from '../http/response-parsing.js';
import type { PlatformMedia } from '../platform.js';
import { filesAt } from '../post-fields.js';

/** An entry of a feed, in whatever form the feed has. Texts are plain; addresses are absolute. */
export interface FeedEntry {
  /** What the feed calls it; "" without a name. */
  guid: string;
  link: string | null;
  title: string;
  text: string;
  author: string;
  /** Epoch milliseconds; null without a time that can be read. */
  time: number | null;
  tags: string[];
  files: PlatformMedia[];
  /** The feed of its comments. */
  comments: string | null;
  /** Null where the feed does not count comments. */
  commentCount: number | null;
  /** The entry that it answers, by its name. */
  inReplyTo: string | null;
}

/** A feed as received. */
export interface FeedContent {
  title: string;
  entries: FeedEntry[];
  /** Where its older entries stand. */
  next: string | null;
  language: string | null;
  /** Epoch milliseconds; null when it does not say when it has changed. */
  time: number | null;
  /** For how long it need not be asked again, as it says itself; milliseconds. */
  lifetimeMs: number;
  /** Whether it asks not to be indexed. */
  isUnindexed: boolean;
}

/** Elements that stand in titles although titles are texts. */
const TITLE_MARKUP =
  /<\/?(?:a|abbr|b|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|tt|u)\b[^<>]{0,2000}>/i;

/** The plain text of a title that may hold markup. */
export function titleText(title: string): string {
  const text = TITLE_MARKUP.test(title) ? plainText(title, MAX_TITLE_LENGTH) : decodeHTMLStrict(title);
  return lineOf(text);
}

/** A title in one line. */
export function lineOf(text: string): string {
  return visibleText(
    text
      .slice(0, 4 * MAX_TITLE_LENGTH)
      .trim()
      .replace(/[\r\n\t]+/g, ' '),
    MAX_TITLE_LENGTH,
  );
}

/** The plain text of a body that is HTML, or a text that has no markup. */
export function bodyText(body: string): string {
  return /<[a-z!/]/i.test(body)
    ? plainText(body, MAX_BODY_LENGTH)
    : storableText(decodeHTMLStrict(beginningOf(body, 2 * MAX_BODY_LENGTH)).trim(), MAX_BODY_LENGTH);
}

const IMAGE = /\.(?:jpe?g|png|gif|webp|avif)$/i;
const FILM = /\.(?:mp4|m4v|webm|mov|mp3|m4a|ogg|opus|aac|wav|flac)$/i;

/** The file at an address, by its media type or the ending of the address; recordings of sound are videos without a picture. */
export function fileAt(address: string | null, type: string): PlatformMedia[] {
  if (address === null || !URL.canParse(address)) return [];
  const { pathname } = new URL(address);
  if (/^image\b/i.test(type) || (type === '' && IMAGE.test(pathname))) return filesAt('image', [address]);
  const isFilm = /^(?:video|audio)\b/i.test(type) || (!/^image\b/i.test(type) && FILM.test(pathname));
  return isFilm ? filesAt('video', [address]) : [];
}

/** Files without those of an address that was there before. */
export function distinctFiles(files: readonly PlatformMedia[]): PlatformMedia[] {
  return [...new Map(files.map((file) => [file.url, file])).values()];
}
