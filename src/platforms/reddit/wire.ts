import { decodeHTMLStrict } from 'entities';

/** A JSON object of unknown content. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A wrapped object of the platform: `t3` a post, `t1` a comment, `more` a stub that lists comment ids. */
export interface WireThing {
  kind: string;
  data: WireObject;
}

const INT32_MAX = 2_147_483_647;
const ID36 = /^[0-9a-z]{1,16}$/i;
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

/** The value as a `{ kind, data }` wrapper; null for anything else. */
export function asThing(value: unknown): WireThing | null {
  const thing = asObject(value);
  const data = asObject(thing?.data);
  return thing && data && typeof thing.kind === 'string' ? { kind: thing.kind, data } : null;
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
 * twice, because escaped texts can contain entities that the author's editor wrote (`&amp;#x200B;`).
 */
export function plainText(value: unknown): string {
  if (typeof value !== 'string') return '';
  const decoded = value.includes('&') ? decodeHTMLStrict(decodeHTMLStrict(value)) : value;
  return storable(decoded);
}

/** A URL with `&amp;` decoded; other entities can be part of the URL. Null when empty. */
export function plainUrl(value: unknown): string | null {
  const text = asText(value)?.replaceAll('&amp;', '&').trim();
  return text ? storable(text) : null;
}

function storable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Unix seconds, given as a number or text. Null when absent or out of range. */
export function asDate(value: unknown): Date | null {
  const seconds = asNumber(value);
  return seconds === null || seconds <= 0 || seconds > LATEST_SECOND ? null : new Date(seconds * 1_000);
}

/** `abc` or `t3_abc` as `t3_abc`, with its case unchanged; null when it is not an id of that kind. */
export function asFullName(kind: 't1' | 't3', value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const bare = value.startsWith(`${kind}_`) ? value.slice(3) : value;
  return ID36.test(bare) ? `${kind}_${bare}` : null;
}

/** The id without its kind: `abc` of `t3_abc`. */
export function bareId(fullName: string): string {
  return fullName.replace(/^t\d_/, '');
}
