import { Transform, type TransformCallback } from 'node:stream';
import json2csv from 'json2csv';
import { POST_FIELDS } from '../posts/dto/post.dto.js';
import { type ExportFormat, type PostRow, toCells, toRecord } from './export-format.js';

const CRLF = '\r\n';
const CHUNK_CHARACTERS = 64 * 1024;

/** Streams that take rows of posts and give the file's text. */
export function writersOf(format: ExportFormat): Transform[] {
  return format === 'csv' ? [csvWriter(), new Chunks(CRLF)] : [new JsonArrayWriter(), new Chunks('\n')];
}

function csvWriter(): Transform {
  return new json2csv.Transform(
    { fields: [...POST_FIELDS], eol: CRLF, transforms: [(row: PostRow) => toCells(toRecord(row))] },
    { objectMode: true },
  );
}

/** One record a line, so that the file can be read line by line too. */
class JsonArrayWriter extends Transform {
  private separator = '[\n';

  constructor() {
    super({ writableObjectMode: true });
  }

  override _transform(row: PostRow, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.separator + JSON.stringify(toRecord(row)));
    this.separator = ',\n';
  }

  override _flush(done: TransformCallback): void {
    done(null, this.separator === '[\n' ? '[]' : '\n]');
  }
}

/** Gathers lines into chunks worth a trip through compression and the socket, and ends the last line. */
class Chunks extends Transform {
  private parts: string[] = [];
  private size = 0;

  constructor(private readonly ending: string) {
    super({ decodeStrings: false });
  }

  override _transform(text: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    const part = text.toString();
    this.parts.push(part);
    this.size += part.length;
    done(null, this.size < CHUNK_CHARACTERS ? undefined : this.join());
  }

  override _flush(done: TransformCallback): void {
    done(null, this.join() + this.ending);
  }

  private join(): string {
    const text = this.parts.join('');
    this.parts = [];
    this.size = 0;
    return text;
  }
}
