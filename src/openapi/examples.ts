import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportedValue } from '../takeout/exports/exported-table.js';
import { exportedFiles } from './exported-files.js';

/** Example bodies of one operation. */
export interface OperationExamples {
  request?: unknown;
  response?: unknown;
  /** Response bodies that are not JSON, by content type. */
  files?: Record<string, string>;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')) as Record<
  string,
  OperationExamples
>;

/** The first record of a list in the examples. */
const firstOf = (operation: string): Record<string, ExportedValue> =>
  (recorded[operation]!.response as Record<string, ExportedValue>[])[0]!;

/** Examples by operation id. Tests validate each example against its schema. */
export const EXAMPLES: Record<string, OperationExamples> = {
  ...recorded,
  exportPosts: { ...recorded.exportPosts, files: exportedFiles('posts', firstOf('exportPosts')) },
  exportComments: { ...recorded.exportComments, files: exportedFiles('comments', firstOf('exportComments')) },
};

/** The record that an operation responds with in its example. */
export const exampleOf = (operation: string): Record<string, unknown> =>
  EXAMPLES[operation]!.response as Record<string, unknown>;

/** Workspace id used in every example. */
export const WORKSPACE = 'ws_7c1f0e7a-52b5-4d0e-8a0c-3d1b9d1f6a55';
/** Time used in every example that needs one. */
export const TIME = '2026-11-21T09:30:00.000Z';
