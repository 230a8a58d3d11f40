import { camelCase } from '../../common/letter-case.js';
import { columnsOf, type EntityColumn, selectList } from '../../database/entity-columns.js';
import { CommentRecord } from '../comments/comment.entity.js';
import { CommentDto, toCommentDto } from '../comments/dto/comment.dto.js';
import { fieldsOf } from '../../http/dto-fields.js';
import { POST_FIELDS, toPostDto } from '../posts/dto/post.dto.js';
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
  /** Select list of the columns behind the fields. */
  columns: string;
  /** The record of a row as the driver reads it. */
  toRecord: (row: object) => ExportedRecord;
}

/** Posts and comments as they are exported. */
export const EXPORTED_TABLES: Record<ExportedKind, ExportedTable> = {
  posts: exportedTable('posts', PostRecord, POST_FIELDS, (row) => ({ ...toPostDto(row as PostRecord) })),
  comments: exportedTable('comments', CommentRecord, fieldsOf(CommentDto), (row) => {
    const record = toCommentDto(row as CommentRecord);
    // The driver reads 64-bit integers as text.
    record.id = Number(record.id);
    return { ...record };
  }),
};

function exportedTable(
  kind: ExportedKind,
  entity: new () => object,
  names: readonly string[],
  toRecord: ExportedTable['toRecord'],
): ExportedTable {
  const columns = new Map(columnsOf(entity).map((column) => [column.name, column]));
  return {
    kind,
    fields: names.map((name) => columns.get(name)!),
    columns: selectList(names.map(camelCase)),
    toRecord,
  };
}
