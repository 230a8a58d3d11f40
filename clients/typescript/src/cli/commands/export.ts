import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type components, dataOf, type ScrapingClient } from '../../client.js';
import { type Command, isSet, textOf } from '../command.js';
import { connect } from '../credentials.js';
import { EXIT_CODES } from '../failure.js';
import { FILTER_OPTIONS, filtersOf } from '../filters.js';
import { counted, printRecord, remark } from '../output.js';

type Export = components['schemas']['ExportDto'];
type Format = Export['format'];

const FORMATS: readonly Format[] = ['csv', 'json', 'ndjson', 'parquet'];
/** Formats whose parts can follow each other in one file. */
const JOINED: ReadonlySet<string> = new Set(['csv', 'ndjson']);
const POLL_MS = 500;
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'running']);
const NEWLINE = 10;

/** `wss export`: writes all matching rows to a file. */
export const EXPORT: Command = {
  name: 'export',
  summary: 'Write all matching posts or comments to a file, for any number of rows',
  usage: ['export [QUERY] [--format FORMAT] [--to FILE] [options]'],
  options: {
    ...FILTER_OPTIONS,
    format: { type: 'string', value: 'FORMAT', choices: FORMATS, help: 'Default csv' },
    to: {
      type: 'string',
      value: 'FILE',
      help: 'Default posts.csv, by kind and format; - for standard output',
    },
    pseudonymize: { type: 'boolean', help: 'Replace names of accounts by pseudonyms' },
  },
  async run(call) {
    const { of, filters } = filtersOf(call);
    const format = (textOf(call, 'format') ?? 'csv') as Format;
    const to = textOf(call, 'to') ?? `${of}.${format}`;
    const client = await connect(call.terminal);
    const created = await dataOf(
      client.api.POST('/api/v1/workspaces/{workspace_id}/exports', {
        params: { path: client.path, header: { 'Idempotency-Key': crypto.randomUUID() } },
        body: { of, format, filters, pseudonymize: isSet(call, 'pseudonymize') },
      }),
    );
    const record = await finished(client, created);
    if (to === '-') {
      await pipeline(Readable.from(joined(client, record, allParts(record))), call.terminal.stdout, {
        end: false,
      });
      return EXIT_CODES.success;
    }
    const files = JOINED.has(format)
      ? [[to, allParts(record)] as const]
      : allParts(record).map((part) => [part === 1 ? to : numbered(to, part), [part]] as const);
    for (const [file, parts] of files) {
      const unfinished = `${file}.unfinished`;
      await pipeline(Readable.from(joined(client, record, parts)), createWriteStream(unfinished));
      await rename(unfinished, file);
    }
    const names = files.map(([file]) => file);
    await printRecord(call, { ...record, files: names }, [...names]);
    await remark(call, counted(record.rows, 'row'));
    return EXIT_CODES.success;
  },
};

async function finished(client: ScrapingClient, created: Export): Promise<Export> {
  let record = created;
  while (UNFINISHED.has(record.status)) {
    await sleep(POLL_MS);
    record = await dataOf(
      client.api.GET('/api/v1/workspaces/{workspace_id}/exports/{export_id}', {
        params: { path: { ...client.path, export_id: created.id } },
      }),
    );
  }
  if (record.status === 'completed') return record;
  throw new Error(
    `${record.id} has ${record.status}${record.error_message ? `: ${record.error_message}` : ''}`,
  );
}

const allParts = ({ parts }: Export): number[] => parts.map((_, index) => index + 1);

/** `posts.parquet` as `posts-2.parquet`. */
const numbered = (file: string, part: number): string => file.replace(/(\.[^./\\]*)?$/, `-${part}$1`);

/**
 * The bytes of parts after each other, a CSV with one heading. Throws when a part differs from its checksum, so that a
 * cut file is not taken for whole.
 */
async function* joined(
  client: ScrapingClient,
  record: Export,
  parts: readonly number[],
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const body = await dataOf(
      client.api.GET('/api/v1/workspaces/{workspace_id}/exports/{export_id}/parts/{number}', {
        params: { path: { ...client.path, export_id: record.id, number: part } },
        parseAs: 'stream',
      }),
    );
    const hash = createHash('sha256');
    let isHeading = record.format === 'csv' && part !== parts[0];
    // An empty part has no body.
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      const from = isHeading ? chunk.indexOf(NEWLINE) + 1 : 0;
      if (isHeading && from === 0) continue;
      isHeading = false;
      yield chunk.subarray(from);
    }
    if (hash.digest('hex') !== record.parts[part - 1]!.sha256)
      throw new Error(`Part ${part} of ${record.id} differs from its checksum; export again`);
  }
}
