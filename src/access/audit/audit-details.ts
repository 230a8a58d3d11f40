import type { NotedRecord } from '../../http/request/noted-record.js';

/** Characters of a value that are kept: enough for most queries, so that an entry stays small. */
const MAX_VALUE_LENGTH = 1_000;
const MAX_CHANGES = 50;

/** A setting before and after a change; null where there was none, or is none any more. */
export interface AuditChange {
  /** As in the API, with a dot for a field of a field: `config.timezone`. */
  field: string;
  before: string | null;
  after: string | null;
}

/** What an entry knows of its record besides the sealed facts: names and settings, which can be erased. */
export interface AuditDetails {
  name: string | null;
  changes: AuditChange[];
}

/** The details of a request that sent these fields; null where it changed no record that has a name or settings. */
export function detailsOf({ before, after }: NotedRecord, fields: readonly string[]): AuditDetails | null {
  const name = nameOf({ ...before, ...after });
  const changes =
    before === null || after === null ? [] : changesBetween(pick(before, fields), pick(after, fields));
  return name === null && changes.length === 0 ? null : { name, changes };
}

/** The name of a record, or what stands for one: a target, an address of a person, the host of a webhook. */
function nameOf({ name, target, email, url }: Record<string, unknown>): string | null {
  const found = [name, target, email, hostOf(url)].find((one) => typeof one === 'string' && one !== '');
  return found === undefined ? null : textOf(found);
}

const hostOf = (url: unknown): string | null =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).host : null;

const pick = (record: object, fields: readonly string[]): Map<string, string | null> =>
  new Map(
    Object.entries(record)
      .filter(([field]) => fields.includes(field))
      .flatMap(([field, value]: [string, unknown]) =>
        isObject(value)
          ? Object.entries(value).map(([inner, one]) => [`${field}.${inner}`, textOf(one)] as const)
          : [[field, textOf(value)] as const],
      ),
  );

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changesBetween(
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, string | null>,
): AuditChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
    .filter((change) => change.before !== change.after)
    .slice(0, MAX_CHANGES);
}

/** A value as a person reads it: a text as it is, a list with commas. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  // Cut between words, so that no part of a name is left that an erasure would not find.
  return text.length > MAX_VALUE_LENGTH
    ? `${text.slice(0, Math.max(0, text.lastIndexOf(' ', MAX_VALUE_LENGTH)))} …`
    : text;
}
