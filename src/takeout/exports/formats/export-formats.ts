import { NamedRegistry } from '../../../common/named-registry.js';
import { CSV } from './csv-encoder.js';
import type { ExportFormatDefinition } from './file-encoder.js';
import { JSON_ARRAY, NDJSON } from './json-encoders.js';
import { PARQUET } from './parquet-encoder.js';

/** The file formats of exports. */
export const EXPORT_FORMATS = new NamedRegistry<ExportFormatDefinition>('export format', [
  CSV,
  JSON_ARRAY,
  NDJSON,
  PARQUET,
]);
