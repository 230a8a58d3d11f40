import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Responses show ids as `prefix_uuid`; the database and the queue store the bare uuid. */
export const ID_PREFIXES = {
  apiKey: 'key',
  schedule: 'sched',
  workspace: 'ws',
  job: 'job',
  alert: 'alert',
  webhook: 'wh',
  event: 'evt',
  delivery: 'dlv',
  media: 'media',
  export: 'export',
  recurringExport: 'recurring',
  match: 'match',
  session: 'session',
  search: 'search',
  erasure: 'erasure',
  suppression: 'suppression',
  member: 'member',
  dataset: 'dataset',
  pin: 'pin',
  report: 'report',
  story: 'story',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;
const PREFIXES: ReadonlySet<string> = new Set(Object.values(ID_PREFIXES));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new random (version 4) uuid. */
export const newId = (): string => randomUUID();

/** A new unique name for a lease owner in this process: host, process id and a random part. */
export function newOwnerName(): string {
  return `${hostname()}:${process.pid}:${newId()}`;
}

/** The id as responses show it. */
export function publicId(kind: IdKind, uuid: string): string {
  return `${ID_PREFIXES[kind]}_${uuid}`;
}

/** Whether a text is an id as responses show it. */
export function isPublicId(text: string): boolean {
  const end = text.indexOf('_');
  return PREFIXES.has(text.slice(0, Math.max(0, end))) && UUID.test(text.slice(end + 1));
}

/** The bare uuid of `uuid` or `prefix_uuid`, in lower case; null when it is neither. */
export function parseId(kind: IdKind, text: string): string | null {
  const prefix = `${ID_PREFIXES[kind]}_`;
  const bare = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return UUID.test(bare) ? bare.toLowerCase() : null;
}
