import { PARQUET } from '../exports/formats/parquet-encoder.js';
import type { PartLimits } from '../exports/part-file.js';

/** Limits of a file, which an erasure reads into memory. */
export const PART_LIMITS: PartLimits = { rows: 50_000, bytes: 64 * 1_024 * 1_024 };

/** Maximum number of rows of a dataset. */
export const MAX_ROWS = 10_000_000;

/** Media type of the files. */
export const { contentType: CONTENT_TYPE } = PARQUET;

/** Folder of the files of all datasets of a workspace in the media store. */
export const workspaceDatasetsFolder = (workspaceId: string): string => `datasets/${workspaceId}`;

/** Folder of one dataset's files in the media store. */
export const datasetFolder = (workspaceId: string, id: string): string =>
  `${workspaceDatasetsFolder(workspaceId)}/${id}`;
