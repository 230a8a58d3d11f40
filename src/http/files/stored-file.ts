import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ByteRange, parseRange } from './byte-range.js';
import { Problem } from '../problems/problem.js';

/** A stored file whose bytes never change. */
export interface StoredFile {
  contentType: string;
  /** The name under which browsers save it; plain ASCII. */
  name: string;
  size: number;
  /** In hex, of its bytes. */
  sha256: string;
  /** Opens the file, or a part of it. */
  open: (range: ByteRange | null) => Promise<Readable>;
}

/**
 * Answers with a stored file or the part that `Range` requests, and with 304 when the client has it. Throws 416 for a
 * part that it does not have.
 */
export async function sendStoredFile(
  file: StoredFile,
  request: Request,
  response: Response,
): Promise<StreamableFile | undefined> {
  const tag = `"${file.sha256}"`;
  response.set({ ETag: tag, 'Accept-Ranges': 'bytes' });
  if (request.fresh) {
    response.status(304);
    return undefined;
  }
  const isSameFile = (request.get('If-Range') ?? tag) === tag;
  const range = isSameFile ? parseRange(request.get('Range'), file.size) : 'whole';
  if (range === null)
    throw new Problem('range_not_satisfiable', `The file has ${file.size} bytes. Request a part of them.`, {
      headers: { 'Content-Range': `bytes */${file.size}` },
    });
  const options = { type: file.contentType, disposition: `attachment; filename="${file.name}"` };
  if (range === 'whole') return new StreamableFile(await file.open(null), { ...options, length: file.size });
  const { first, last } = range;
  const stream = await file.open(range);
  response.status(206).set('Content-Range', `bytes ${first}-${last}/${file.size}`);
  return new StreamableFile(stream, { ...options, length: last - first + 1 });
}
