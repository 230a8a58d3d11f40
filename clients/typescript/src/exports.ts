import type { Client } from 'openapi-fetch';
import { dataOf } from './answers.js';
import { ApiError } from './errors.js';
import { wait } from './retry.js';
import type { components, operations, paths } from './schema.js';
import { chunksOf } from './streams.js';

/** An export job as the service returns it. */
export type ExportJob = components['schemas']['ExportDto'];
/** What an export contains, its format, and an order. */
export type ExportQuery =
  | ({ of?: 'posts' } & NonNullable<operations['exportPosts']['parameters']['query']>)
  | ({ of: 'comments' } & NonNullable<operations['exportComments']['parameters']['query']>);

type NewExport = components['schemas']['CreateExportDto'];
type Filters = Readonly<Record<string, unknown>>;

/** The operations of a client, and the path parameter of all. */
interface Caller {
  readonly api: Client<paths>;
  readonly path: { workspace_id: string };
}

/** The part of a hash of Node.js that is used here. */
interface Hash {
  update(chunk: Uint8Array): unknown;
  digest(encoding: 'hex'): string | Promise<string>;
}

/** Formats whose parts can follow each other in one file. */
export const JOINED: ReadonlySet<string> = new Set(['csv', 'ndjson']);
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'running']);
/** Rows with which the service ends an export without a job. */
const STREAM_ROWS = 10_000;
const POLL_MS = 500;
const NEWLINE = 10;

/**
 * The bytes of an export of any number of rows, by an export job whose parts are checked by their hashes. An order, and a key
 * that may only read, need the export without a job: it throws before the first byte when there are more than 10,000 rows.
 */
export async function* exportedBytes(caller: Caller, query: ExportQuery): AsyncGenerator<Uint8Array> {
  const { of = 'posts', format = 'csv', bom, pseudonymize, sort_by, sort_order, ...filters } = query;
  const isOrdered = sort_by !== undefined || sort_order !== undefined;
  const created = isOrdered
    ? null
    : await exportUnlessReadOnly(caller, { of, format, filters, bom, pseudonymize });
  if (created === null) {
    await refuseTooMany(caller, of, filters);
    yield* streamed(caller, query);
    // Rows may have been added since.
    await refuseTooMany(caller, of, filters);
    return;
  }
  const record = await endedExport(caller, created);
  const parts = allParts(record);
  if (parts.length > 1 && !JOINED.has(format))
    throw new Error(`The export has ${parts.length} files, which only csv and ndjson can join`);
  yield* joinedParts(caller, record, parts);
}

/** Creates an export; null when the key may only read. */
async function exportUnlessReadOnly({ api, path }: Caller, body: NewExport): Promise<ExportJob | null> {
  try {
    return await dataOf(
      api.POST('/api/v1/workspaces/{workspace_id}/exports', {
        params: { path, header: { 'Idempotency-Key': crypto.randomUUID() } },
        body,
      }),
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return null;
    throw error;
  }
}

/** Waits until an export has completed, and returns it. Throws when it has ended otherwise. */
export async function endedExport({ api, path }: Caller, created: ExportJob): Promise<ExportJob> {
  let record = created;
  while (UNFINISHED.has(record.status)) {
    await wait(POLL_MS);
    record = await dataOf(
      api.GET('/api/v1/workspaces/{workspace_id}/exports/{export_id}', {
        params: { path: { ...path, export_id: created.id } },
      }),
    );
  }
  if (record.status === 'completed') return record;
  throw new Error(
    `${record.id} has ${record.status}${record.error_message ? `: ${record.error_message}` : ''}`,
  );
}

/** The numbers of all parts, from 1. */
export const allParts = ({ parts }: ExportJob): number[] => parts.map((_, index) => index + 1);

/**
 * The bytes of parts after each other, a CSV with one heading. Throws when a part differs from its checksum, so that a
 * truncated file is not mistaken for a complete one.
 */
export async function* joinedParts(
  { api, path }: Caller,
  record: ExportJob,
  parts: readonly number[],
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const body = await dataOf(
      api.GET('/api/v1/workspaces/{workspace_id}/exports/{export_id}/parts/{number}', {
        params: { path: { ...path, export_id: record.id, number: part } },
        parseAs: 'stream',
      }),
    );
    const hash = newHash();
    let isHeading = record.format === 'csv' && part !== parts[0];
    for await (const chunk of chunksOf(body)) {
      hash.update(chunk);
      const from = isHeading ? chunk.indexOf(NEWLINE) + 1 : 0;
      if (isHeading && from === 0) continue;
      isHeading = false;
      yield chunk.subarray(from);
    }
    if ((await hash.digest('hex')) !== record.parts[part - 1]!.sha256)
      throw new Error(`Part ${part} of ${record.id} differs from its checksum; export again`);
  }
}

async function* streamed({ api, path }: Caller, query: ExportQuery): AsyncGenerator<Uint8Array> {
  const { of = 'posts', ...rest } = query;
  const parameters: object = rest;
  const body = await dataOf(
    api.GET(`/api/v1/workspaces/{workspace_id}/exports/${of}`, {
      params: { path, query: parameters },
      parseAs: 'stream',
    }),
  );
  yield* chunksOf(body);
}

/** Throws when there are more rows than an export without a job contains. */
async function refuseTooMany({ api, path }: Caller, of: ExportJob['of'], filters: Filters): Promise<void> {
  if (filters.state !== undefined || filters.label !== undefined)
    throw new Error('An export by state or label needs a key with the scope write, and no order');
  const { total } = await dataOf(
    api.GET(`/api/v1/workspaces/{workspace_id}/${of}`, {
      params: { path, query: { ...filters, limit: 1 } },
    }),
  );
  if (total > STREAM_ROWS)
    throw new Error(
      `The export has ${total} rows, but contains at most ${STREAM_ROWS} with an order or a key that may only read. Use a key with the scope write and no order, or filters with fewer results`,
    );
}

/** SHA-256 of a stream: chunk by chunk in Node.js, of all chunks at the end in a browser, which has no other. */
function newHash(): Hash {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): { createHash(algorithm: string): Hash } };
  };
  const node = process?.getBuiltinModule?.('node:crypto');
  if (node !== undefined) return node.createHash('sha256');
  const chunks: Uint8Array[] = [];
  return {
    update: (chunk) => chunks.push(chunk),
    digest: async () => {
      const whole = await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer();
      const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
      return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}
