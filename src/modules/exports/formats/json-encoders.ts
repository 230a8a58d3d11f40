import type { ExportedRecord } from '../exported-table.js';
import type { FileEncoder } from './file-encoder.js';

/** A JSON array with one record a line, so that the file can be read line by line too. */
export class JsonArrayEncoder implements FileEncoder {
  private separator = '[\n';

  write(records: readonly ExportedRecord[]): Uint8Array {
    if (records.length === 0) return Buffer.alloc(0);
    const text = this.separator + records.map((record) => JSON.stringify(record)).join(',\n');
    this.separator = ',\n';
    return Buffer.from(text);
  }

  end(): Uint8Array {
    return Buffer.from(this.separator === '[\n' ? '[]\n' : '\n]\n');
  }
}

/** A JSON record a line. */
export class NdjsonEncoder implements FileEncoder {
  write(records: readonly ExportedRecord[]): Uint8Array {
    return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  end(): Uint8Array {
    return Buffer.alloc(0);
  }
}
