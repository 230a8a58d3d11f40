import { publicId } from '../../common/ids.js';
import { columnsOf, type EntityColumn } from '../../database/entity-columns.js';
import { CommentRecord } from '../comments/comment.entity.js';
import { CommentDto } from '../comments/dto/comment.dto.js';
import { fieldsOf } from '../../http/dto-fields.js';
import { POST_FIELDS } from '../posts/dto/post.dto.js';
import { PostRecord } from '../posts/post.entity.js';

/** What can be exported. */
export const EXPORTED_KINDS = ['posts', 'comments'] as const;
export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/** The value of a field. */
export type ExportedValue = string | number | boolean | Date | string[] | null;

/** A post or a comment in the interface's words, its fields in the interface's order. */
export type ExportedRecord = Record<string, ExportedValue>;

/** A field of a record, with the type of the column behind it. */
export type ExportedField = Pick<EntityColumn, 'name' | 'type' | 'isArray' | 'isNullable'>;

/** How the rows of a table become records. */
export interface ExportedTable {
  kind: ExportedKind;
  /** In the interface's order. */
  fields: readonly ExportedField[];
  /** Select list of the columns behind the fields, which the driver then reads under the fields' names. */
  columns: string;
  /** Makes a row, as the driver reads it, a record; the same object, since a copy takes longer than to read the row. */
  toRecord: (row: object) => ExportedRecord;
}

/** Posts and comments as they are exported. */
export const EXPORTED_TABLES: Record<ExportedKind, ExportedTable> = {
  posts: exportedTable('posts', PostRecord, POST_FIELDS, (record) => {
    record.workspace_id = publicId('workspace', record.workspace_id as string);
  }),
  comments: exportedTable('comments', CommentRecord, fieldsOf(CommentDto), (record) => {
    // The driver reads 64-bit integers as text.
    record.id = Number(record.id);
  }),
};

function exportedTable(
  kind: ExportedKind,
  entity: new () => object,
  names: readonly string[],
  adapt: (record: ExportedRecord) => void,
): ExportedTable {
  const columns = new Map(columnsOf(entity).map((column) => [column.name, column]));
  return {
    kind,
    fields: names.map((name) => columns.get(name)!),
    columns: names.join(', '),
    toRecord: (row) => {
      const record = row as ExportedRecord;
      adapt(record);
      return record;
    },
  };
}
