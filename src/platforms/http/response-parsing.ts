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

/** The objects of an array; what is none is left out. */
export function asObjects(value: unknown): WireObject[] {
  return asArray(value)
    .map(asObject)
    .filter((one) => one !== null);
}

/** The texts of an array; what is none, or is empty, is left out. */
export function asTexts(value: unknown): string[] {
  return asArray(value).flatMap((one) => asText(one) ?? []);
}

/** The object in a JSON text; null for another text. */
export function parseObject(text: string): WireObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
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

/** A whole number as {@link asInteger}; 0 for what is negative or no number. */
export function asCount(value: unknown): number {
  return Math.max(0, asInteger(value) ?? 0);
}

/** A positive whole number that stands for a record; null for anything else. */
export function asId(value: unknown): number | null {
  const number = asNumber(value);
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/**
 * Text without NUL and lone surrogates, which Postgres refuses, cut at `maxLength` UTF-16 units; "" for anything else.
 * Entities stay as they are: a source that escapes its texts is decoded with {@link unescaped} first.
 */
export function storableText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // Twice the length leaves room for what is removed.
  const text = storable(value.length > 2 * maxLength ? value.slice(0, 2 * maxLength) : value);
  return text.length > maxLength ? storable(text.slice(0, maxLength)) : text;
}

/** Nothing that a reader sees: white space, format characters, fillers, the empty Braille cell. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A {@link storableText} for names and titles; "" when all its characters are invisible. */
export function visibleText(value: unknown, maxLength: number): string {
  const text = storableText(value, maxLength);
  return INVISIBLE.test(text) ? '' : text;
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
  return text.includes('&') ? decodeHTMLStrict(text.slice(0, MAX_ESCAPED_LENGTH)) : text;
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

/** Unix seconds, given as a number or text. Null when absent or out of range. */
export function asDate(value: unknown): Date | null {
  const seconds = asNumber(value);
  return seconds === null || seconds <= 0 || seconds > LATEST_SECOND ? null : new Date(seconds * 1_000);
}

/** An ISO 8601 time, in UTC where it names no zone; null for anything else. */
export function asTime(value: unknown): Date | null {
  const text = asText(value) ?? '';
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? null : new Date(time);
}
