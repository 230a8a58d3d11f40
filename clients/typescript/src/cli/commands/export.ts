import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dataOf } from '../../client.js';
import { allParts, endedExport, type ExportJob, JOINED, joinedParts } from '../../exports.js';
import { type Command, isSet, textOf } from '../command.js';
import { connect } from '../credentials.js';
import { EXIT_CODES } from '../failure.js';
import { FILTER_OPTIONS, filtersOf } from '../filters.js';
import { counted, printRecord, remark } from '../output.js';

type Format = ExportJob['format'];

const FORMATS: readonly Format[] = ['csv', 'json', 'ndjson', 'parquet'];

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
    const record = await endedExport(client, created);
    if (to === '-') {
      await pipeline(Readable.from(joinedParts(client, record, allParts(record))), call.terminal.stdout, {
        end: false,
      });
      return EXIT_CODES.success;
    }
    const files = JOINED.has(format)
      ? [[to, allParts(record)] as const]
      : allParts(record).map((part) => [part === 1 ? to : numbered(to, part), [part]] as const);
    for (const [file, parts] of files) {
      const unfinished = `${file}.unfinished`;
      await pipeline(Readable.from(joinedParts(client, record, parts)), createWriteStream(unfinished));
      await rename(unfinished, file);
    }
    const names = files.map(([file]) => file);
    await printRecord(call, { ...record, files: names }, [...names]);
    await remark(call, counted(record.rows, 'row'));
    return EXIT_CODES.success;
  },
};

/** `posts.parquet` as `posts-2.parquet`. */
const numbered = (file: string, part: number): string => file.replace(/(\.[^./\\]*)?$/, `-${part}$1`);
