import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchApi } from './api.js';

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

/** Exports all posts in a format; calls `look` while it runs. Throws when the export fails. */
export async function exportToEnd(
  api: BenchApi,
  format: string,
  look: () => void = () => undefined,
): Promise<ExportRecord> {
  const address = `${api.url}/api/v1/workspaces/${api.workspaceId}/exports`;
  const created = await fetch(address, {
    method: 'POST',
    headers: { ...api.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ of: 'posts', format }),
  });
  const { id } = (await created.json()) as ExportRecord;
  for (;;) {
    look();
    const record = (await (await fetch(`${address}/${id}`, { headers: api.headers })).json()) as ExportRecord;
    if (record.status === 'completed') return record;
    if (record.status === 'failed') throw new Error(JSON.stringify(record));
    await sleep(POLL_MS);
  }
}
