import { Problem } from '../../http/problems/problem.js';
import type { CreateExportDto } from './dto/export-job.dto.js';
import { requireColumns } from './export-columns.js';
import { checkedFilters, OF_EXPORTS } from './export-filters.js';
import type { ExportChoices } from './export-job.entity.js';
import { hasZstd } from './formats/compression.js';

/**
 * The choices of a request; `changes` names its field for only new and changed rows, if that is chosen. Throws 400 for
 * those that no export can have.
 */
export async function choicesOf(
  request: Omit<CreateExportDto, 'name' | 'destination' | 'incremental_from'>,
  changes: string | null,
): Promise<ExportChoices> {
  if (request.compression === 'zstd' && !hasZstd())
    throw Problem.validation([
      {
        field: 'compression',
        message:
          'compression zstd needs Node.js 22.15 or later, or the zstd command, on the server. Send gzip, or omit compression.',
      },
    ]);
  requireColumns(request.of, request.columns ?? []);
  const filters = await checkedFilters(request.of, request.filters ?? {}, OF_EXPORTS);
  if (changes !== null && ('state' in filters || 'label' in filters))
    throw Problem.validation([
      {
        field: changes,
        message: `${changes} cannot be combined with the filters state and label: a changed match does not change its post. Send one of both.`,
      },
    ]);
  return {
    kind: request.of,
    format: request.format,
    compression: request.compression ?? null,
    filters,
    columns: request.columns ?? null,
    byteOrderMark: request.bom ?? false,
    pseudonymize: request.pseudonymize ?? false,
  };
}
