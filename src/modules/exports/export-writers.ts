import { Transform, type TransformCallback } from 'node:stream';
import json2csv from 'json2csv';
import { POST_FIELDS, toPostDto } from '../posts/dto/post.dto.js';
import type { PostRecord } from '../posts/post.entity.js';
import { type ExportFormat, toCells } from './export-format.js';

const CRLF = '\r\n';
const CHUNK_CHARACTERS = 32 * 1024;

/** Streams that take rows of posts and give the file's text. */
export function writersOf(format: ExportFormat): Transform[] {
  return format === 'csv' ? [csvWriter(), new Chunks(CRLF)] : [new JsonArrayWriter(), new Chunks('\n')];
}

function csvWriter(): Transform {
  return new json2csv.Transform(
    { fields: [...POST_FIELDS], eol: CRLF, transforms: [(row: PostRecord) => toCells(toPostDto(row))] },
    { objectMode: true },
  );
}

/** One record a line, so that the file can be read line by line too. */
class JsonArrayWriter extends Transform {
  private separator = '[\n';

  constructor() {
    super({ writableObjectMode: true });
  }

  override _transform(row: PostRecord, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.separator + JSON.stringify(toPostDto(row)));
    this.separator = ',\n';
  }

  override _flush(done: TransformCallback): void {
    done(null, this.separator === '[\n' ? '[]' : '\n]');
  }
}

/** Lets one export go on in each turn of the event loop, so that many at once delay other requests no more than one. */
class Turns {
  private readonly line: (() => void)[] = [];

  wait(go: () => void): void {
    this.line.push(go);
    if (this.line.length === 1) setImmediate(this.next);
  }

  private readonly next = (): void => {
    const go = this.line.shift()!;
    if (this.line.length > 0) setImmediate(this.next);
    go();
  };
}

const turns = new Turns();

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
    if (this.size < CHUNK_CHARACTERS) done();
    else turns.wait(() => done(null, this.join()));
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
