import type { SqlParameters } from '../../database/sql.js';
import { matchLabelsJoin } from '../../alerts/triage/match-labels.js';
import { type ExportedField, type ExportedTable, FROZEN_TABLES } from '../exports/exported-table.js';
import { labelsJoin } from '../../content/labels/labels.repository.js';
import type { Dataset } from './dataset.entity.js';

/** The field with the id that responses show. */
export const PUBLIC_ID = { posts: 'id', comments: 'comment_id' } as const;

const MATCH_LABELS: ExportedField = { name: 'match_labels', type: 'text', isArray: true, isNullable: false };

/** The columns of a dataset: those of exports, the labels of its matches, and a label by each labeller. */
export function tableOf({ kind, labellers }: Pick<Dataset, 'kind' | 'labellers'>): ExportedTable {
  const { fields, columns } = FROZEN_TABLES[kind];
  return {
    fields: [
      ...fields,
      MATCH_LABELS,
      ...labellers.map((labeller) => ({
        name: `label_${labeller}`,
        type: 'text',
        isArray: false,
        isNullable: true,
      })),
    ],
    columns: [
      columns,
      `coalesce(match_labels, '{}') AS match_labels`,
      ...labellers.map((_, index) => `by_${index}_label`),
    ].join(', '),
  };
}

/** The joins that the columns of {@link tableOf} need. */
export function joinsOf(
  { workspaceId, kind, labellers }: Pick<Dataset, 'workspaceId' | 'kind' | 'labellers'>,
  parameters: SqlParameters,
): string {
  const record = `${kind}.${PUBLIC_ID[kind]}`;
  return [
    matchLabelsJoin(workspaceId, { kind, record }, parameters),
    ...labellers.map((labeller, index) =>
      labelsJoin({ workspaceId, labeller, record, table: `by_${index}` }, parameters),
    ),
  ].join('\n');
}
