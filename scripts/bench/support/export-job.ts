import type { BenchApi } from './api.js';
import { until } from './measure.js';

const TIMEOUT_MS = 1_800_000;
const POLL_MS = 100;

/** The part of an export's record that benchmarks read. */
export interface ExportRecord {
  id: string;
  status: string;
  rows: number;
  bytes: number;
  parts: { path: string }[];
  started_at: string;
  completed_at: string;
}

/** Exports all posts as Parquet. Throws when the export fails or has another number of rows. */
export async function exportToEnd(api: BenchApi, posts: number): Promise<ExportRecord> {
  const { id } = await api.read<ExportRecord>('/exports', { of: 'posts', format: 'parquet' });
  const record = await until(
    () => api.read<ExportRecord>(`/exports/${id}`),
    ({ status }) => status === 'completed' || status === 'failed',
    TIMEOUT_MS,
    POLL_MS,
  );
  if (record.status === 'failed' || record.rows !== posts) throw new Error(JSON.stringify(record));
  return record;
}
