import { beginningOf, normalized } from '../../common/strings.js';
import { decodeHTMLStrict } from 'entities';
import { isoTime } from '../../common/iso-time.js';
import { parseJson } from './json-numbers.js';

/** A JSON object of unknown content. */
export type WireObject = Readonly<Record<string, unknown>>;

const INT32_MAX = 2_147_483_647;
/** Longer URLs are dropped. Browsers and CDNs accept no more than 8 KiB in practice. */
export const MAX_STORED_URL_LENGTH = 8_192;
/** Longer names (authors, forums, flairs) are truncated. The platforms' own limits are below 100. */
export const MAX_NAME_LENGTH = 255;
/** Longer titles are truncated. Reddit's limit is 300. */
export const MAX_TITLE_LENGTH = 4_000;
/**
 * Longer texts of posts and comments are truncated. Reddit's limit is 40,000. Up to this length, words of any language
 * and their compounds fit into a tsvector (1 MB).
 */
export const MAX_BODY_LENGTH = 150_000;
/** Nothing on a source is older. Earlier times stand for none: 0, or the year 1. */
const EARLIEST_MS = Date.UTC(1980, 0);
/** How far the clock of a source may be ahead; rows of later times have wrong dates. */
export const MAX_AHEAD_MS = 86_400_000;

/** The value as an object; null for anything else, arrays included. */
export function asObject(value: unknown): WireObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireObject) : null;
}

/** The value as an array; empty for anything else. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array; other elements are left out. */
export function asObjects(value: unknown): WireObject[] {
  return asArray(value)
    .map(asObject)
    .filter((one) => one !== null);
}

/** The texts of an array; empty ones and other elements are left out. */
export function asTexts(value: unknown): string[] {
  return asArray(value).flatMap((one) => asText(one) ?? []);
}

/** The object in a JSON text; null for another text. */
export function parseObject(text: string): WireObject | null {
  try {
    return asObject(parseJson(text));
  } catch {
    return null;
  }
}

/** The string, or null when it is anything else or empty. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The key of an item or a page, given as text or as a whole number; null otherwise. */
export function asKey(value: unknown): string | null {
  return asText(Number.isSafeInteger(value) ? String(value) : value);
}

/** A finite number, given as a number or as text; null otherwise. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A whole number, clamped to the database's 32-bit integer; null when the value is not a number. */
export function asInteger(value: unknown): number | null {
  const number = asNumber(value);
  return number === null ? null : Math.max(-INT32_MAX, Math.min(INT32_MAX, Math.trunc(number)));
}

/** A whole number as {@link asInteger}; 0 for a negative one or another value. */
export function asCount(value: unknown): number {
  return Math.max(0, asInteger(value) ?? 0);
}

/** A positive whole number that stands for a record; null for anything else. */
export function asId(value: unknown): number | null {
  const number = asNumber(value);
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/**
 * Text without NUL and lone surrogates, which Postgres refuses, cut between characters to at most `maxLength` UTF-16
 * units; "" for anything else. Entities stay as they are: a source that escapes its texts is decoded with
 * {@link unescaped} first.
 */
export function storableText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // Twice the length leaves room for removed parts.
  return beginningOf(storable(beginningOf(value, 2 * maxLength)), maxLength);
}

/** Nothing that a reader sees: white space, format characters, fillers, the empty Braille cell. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A {@link storableText} for names and titles; "" when all its characters are invisible. */
export function visibleText(value: unknown, maxLength: number): string {
  const text = storableText(value, maxLength);
  return INVISIBLE.test(text) ? '' : text;
}

/** A {@link visibleText} that names an account, a tag or a flair: composed, because names are compared. */
export function visibleName(value: unknown): string {
  return visibleText(normalized(beginningOf(asKey(value) ?? '', 4 * MAX_NAME_LENGTH)), MAX_NAME_LENGTH);
}

/**
 * A URL without NUL, lone surrogates and white space around it. Null when empty, or when it is longer than
 * {@link MAX_STORED_URL_LENGTH}; it is then added to `dropped`.
 */
export function storableUrl(value: unknown, dropped?: Set<string>): string | null {
  const text = asText(value);
  if (text !== null && text.length > MAX_STORED_URL_LENGTH) {
    dropped?.add(text);
    return null;
  }
  const url = text?.trim();
  return url ? storable(url) : null;
}

/** Longer texts are cut before they are decoded, which bounds the work; no stored text is half as long. */
const MAX_ESCAPED_LENGTH = 2 * MAX_BODY_LENGTH;

/**
 * A JSON value with the HTML entities of all its texts decoded once, for a source that escapes `&`, `<` and `>` in
 * every text. An entity that the author typed stays as typed.
 */
export function unescaped<T>(value: T): T {
  return (typeof value === 'string' ? decoded(value) : isContainer(value) ? copyOf(value) : value) as T;
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(beginningOf(text, MAX_ESCAPED_LENGTH)) : text;
}

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** A loop instead of recursion, because a strange response can be thousands of levels deep. */
function copyOf(root: Container): Container {
  const shallow = (value: Container): Container => (Array.isArray(value) ? [...value] : { ...value });
  const copy = shallow(root);
  const open = [copy];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const fields = container as Record<string, unknown>;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (typeof value === 'string') fields[key] = decoded(value);
      else if (isContainer(value)) open.push((fields[key] = shallow(value)));
    }
  }
  return copy;
}

/** Text without NUL and lone surrogates, which Postgres refuses. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Unix seconds (or milliseconds, with twelve digits or more), given as a number or text, as a {@link plausible} time. Null when absent or not above 0. */
export function asDate(value: unknown): Date | null {
  const seconds = asNumber(value);
  return seconds === null || seconds <= 0 ? null : plausible(seconds < 1e11 ? seconds * 1_000 : seconds);
}

/** An ISO 8601 time, in UTC where it names no zone, as a {@link plausible} time; null for anything else. */
export function asTime(value: unknown): Date | null {
  const time = isoTime(asText(value) ?? '');
  return Number.isNaN(time) ? null : plausible(time);
}

/** The time with these epoch milliseconds; now instead of one before 1980 or more than a day ahead. */
function plausible(time: number): Date {
  const now = Date.now();
  return new Date(time < EARLIEST_MS || time > now + MAX_AHEAD_MS ? now : time);
}
