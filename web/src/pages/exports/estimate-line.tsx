import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { useDelayed } from '../../timers.ts';
import type { SearchState } from '../search/search-state.ts';
import { estimatedBytes } from './export-estimate.ts';
import { type NewExport, sampleQuery } from './exports.ts';

const words = exportsTexts.estimate;
const TYPING_MS = 400;

/** How many rows an export would have, and about how large it would be. */
export function EstimateLine({
  state,
  columns,
  format,
  isIncremental,
}: {
  state: SearchState;
  columns: readonly string[];
  format: NewExport['format'];
  /** Whether it leaves out the rows of an earlier one, so that it has at most as many. */
  isIncremental: boolean;
}) {
  const { workspace_id } = useSession();
  const { data, error } = useQuery({
    ...sampleQuery(workspace_id, useDelayed(state, TYPING_MS)),
    retry: false,
  });
  const bytes = data && estimatedBytes(data, columns, format);
  const rows = data && exportsTexts.rows(formatNumber(data.total));
  return (
    <p role="status" className="min-h-5 text-sm text-muted tabular-nums">
      {rows !== undefined
        ? words.line(isIncremental ? words.atMost(rows) : rows, bytes == null ? null : formatBytes(bytes))
        : error !== null
          ? words.unknown
          : words.counting}
    </p>
  );
}
