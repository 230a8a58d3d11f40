import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import type { Sql } from '../../database/sql.js';
import { preferredEncoding } from '../../http/server/preferred-encoding.js';
import { fileName } from './export-format.js';
import { Pseudonyms } from './pseudonyms.js';
import { EXPORTED_TABLES, type ExportedKind, type ExportedRow } from './exported-table.js';
import { ExportsService } from './exports.service.js';
import { EXPORT_FORMATS } from './formats/export-formats.js';
import { encodedInSlices, type FileEncoder } from './formats/file-encoder.js';

/** Maximum duration of one download. */
const MAX_DOWNLOAD_MS = 3_600_000;

/**
 * Number of listeners on one event of a response above which Node.js warns of a leak; the default is 10. A compressed
 * download adds eight to those of logs, metrics, traces and the search for word weights.
 */
const MAX_LISTENERS = 20;

/** Contents of a file to send. */
export interface Download {
  workspaceId: string;
  kind: ExportedKind;
  format: string;
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  /** Whether names of accounts are replaced. */
  pseudonymize: boolean;
  /** Used in the file name. */
  forum?: string;
  sql: Sql;
}

/** Streams the rows of a statement as a file. */
@Injectable()
export class ExportDownload {
  constructor(
    private readonly exports: ExportsService,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /**
   * Resolves when the file is sent or the client has disconnected. A failure after the response head closes the
   * connection.
   */
  async send(
    { workspaceId, kind, format, bom, pseudonymize, forum, sql }: Download,
    response: Response,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { contentType, compressesItself, createEncoder } = EXPORT_FORMATS.get(format);
    const headers = {
      'Content-Type': contentType,
      'Content-Disposition': `attachment; filename="${fileName(kind, format, forum, this.clock.now())}"`,
    };
    response.vary('Accept-Encoding');
    if (response.req.method === 'HEAD') {
      response.set(headers).end();
      return;
    }
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(MAX_DOWNLOAD_MS)]);
    const source = await this.exports.open(workspaceId, sql, signal);
    try {
      // A client that reads nothing for this long counts as disconnected.
      response.setTimeout(this.environment.EXPORT_STALL_TIMEOUT_MS, () => response.destroy());
      response.set(headers).setMaxListeners(MAX_LISTENERS);
      const isCompressed = !compressesItself && acceptsGzip(response.req);
      if (isCompressed) response.set('Content-Encoding', 'gzip');
      const bytes = encode(
        pseudonymize ? this.pseudonyms.replace(workspaceId, kind, source.batches) : source.batches,
        createEncoder(EXPORTED_TABLES[kind], { byteOrderMark: bom }),
      );
      if (isCompressed) await pipeline(bytes, createGzip(), response, { signal });
      else await pipeline(bytes, response, { signal });
    } catch (error) {
      // No client is left to respond to.
      if (!gone.signal.aborted) throw error;
    } finally {
      source.end();
    }
  }
}

const acceptsGzip = (request: Request): boolean => preferredEncoding(request, ['gzip']) !== null;

async function* encode(
  batches: AsyncIterable<ExportedRow[]>,
  encoder: FileEncoder,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const rows of batches) {
    await turns.take();
    const bytes = await encodedInSlices(encoder, rows);
    if (bytes.length > 0) yield bytes;
  }
  yield encoder.end();
}

/**
 * Lets one export proceed per turn of the event loop, so that many concurrent exports delay other requests no more than
 * one does.
 */
class EventLoopTurns {
  private readonly queue: (() => void)[] = [];

  take(): Promise<void> {
    return new Promise((resolve) => {
      this.queue.push(resolve);
      if (this.queue.length === 1) setImmediate(this.next);
    });
  }

  private readonly next = (): void => {
    const go = this.queue.shift()!;
    if (this.queue.length > 0) setImmediate(this.next);
    go();
  };
}

const turns = new EventLoopTurns();
