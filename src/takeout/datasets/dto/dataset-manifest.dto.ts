import type { ExportedKind } from '../../exports/exported-table.js';
import { SOURCES } from '../../../platforms/registry.js';
import { tableOf } from '../dataset-table.js';
import type { Dataset, DatasetPart } from '../dataset.entity.js';

const UNKNOWN_TERMS = 'See the terms of the source.';

class DatasetQueryDto {
  of: ExportedKind;
  q: string | null;
  filters: object;
}

class DatasetSourceDto {
  source: string;
  /** Number of its rows when they were frozen. */
  rows: number;
  licence: string;
}

class DatasetFileDto {
  /** Under which name to keep it. */
  name: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** Versions of the models that computed `language`, `sentiment_…` and `keywords`: rows of other versions keep older values. */
class ModelVersionsDto {
  service: string;
  language: string;
  sentiment: string;
  keywords: string;
}

/** Contents and origin of a dataset; keep it with the files. */
export class DatasetManifestDto {
  query: DatasetQueryDto;
  /** When the rows were read, all at once. */
  frozen_at: Date;
  /** Number of rows when they were read. */
  frozen_rows: number;
  erased_rows: number;
  columns: string[];
  sources: DatasetSourceDto[];
  models: ModelVersionsDto;
  files: DatasetFileDto[];

  static from(dataset: Dataset, parts: readonly DatasetPart[]): DatasetManifestDto {
    const { q = null, ...filters } = dataset.filters as { q?: string };
    const sources = Object.entries(dataset.sources).sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      query: { of: dataset.kind, q, filters },
      frozen_at: dataset.frozenAt!,
      frozen_rows: sources.reduce((sum, [, rows]) => sum + rows, 0),
      erased_rows: dataset.erasedRows,
      columns: tableOf(dataset).fields.map(({ name }) => name),
      sources: sources.map(([source, rows]) => ({
        source,
        rows,
        licence: SOURCES.content(source)?.licence ?? UNKNOWN_TERMS,
      })),
      models: dataset.models!,
      files: parts.map(({ number, rows, bytes, sha256 }) => ({
        name: fileNameOf(dataset, number),
        rows,
        bytes,
        sha256,
      })),
    };
  }
}

/** The name of a file: `posts-00001.parquet`; names sort in the order of the parts. */
export const fileNameOf = ({ kind }: Dataset, number: number): string =>
  `${kind}-${String(number).padStart(5, '0')}.parquet`;
