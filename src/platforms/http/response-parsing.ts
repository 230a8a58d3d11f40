import { decodeHTMLStrict } from 'entities';

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
/** The year 2200 in seconds; larger values are milliseconds or invalid. */
const LATEST_SECOND = 7_258_118_400;

/** The value as an object; null for anything else, arrays included. */
export function asObject(value: unknown): WireObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireObject) : null;
}

/** The value as an array; empty for anything else. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string, or null when it is anything else or empty. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
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

/**
 * Text with HTML entities decoded and without NUL and lone surrogates, which Postgres refuses. Entities are decoded
 * twice, because escaped texts can contain entities that the author's editor wrote (`&amp;#x200B;`). Cut at `maxLength`
 * UTF-16 units.
 */
export function storableText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // Twice the length leaves room for entities and bounds the work of decoding.
  const bounded = value.length > 2 * maxLength ? value.slice(0, 2 * maxLength) : value;
  const decoded = bounded.includes('&') ? decodeHTMLStrict(decodeHTMLStrict(bounded)) : bounded;
  return storable(decoded.length > maxLength ? decoded.slice(0, maxLength) : decoded);
}

/**
 * A URL with `&amp;` decoded; other entities can be part of the URL. Null when empty, or when it is longer than
 * {@link MAX_STORED_URL_LENGTH}; it is then added to `dropped`.
 */
export function storableUrl(value: unknown, dropped?: Set<string>): string | null {
  const text = asText(value);
  if (text !== null && text.length > MAX_STORED_URL_LENGTH) {
    dropped?.add(text);
    return null;
  }
  const url = text?.replaceAll('&amp;', '&').trim();
  return url ? storable(url) : null;
}

/** Text without NUL and lone surrogates, which Postgres refuses. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Unix seconds, given as a number or text. Null when absent or out of range. */
export function asDate(value: unknown): Date | null {
  const seconds = asNumber(value);
  return seconds === null || seconds <= 0 || seconds > LATEST_SECOND ? null : new Date(seconds * 1_000);
}
