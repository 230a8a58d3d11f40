import { publicId } from '../../common/ids.js';
import { columnsOf, type EntityColumn } from '../../database/entity-columns.js';
import { CommentRecord } from '../../content/comments/comment.entity.js';
import { fieldsOf } from '../../http/parameters/dto-fields.js';
import { PostRecord } from '../../content/posts/post.entity.js';
import { ExportedCommentDto, ExportedPostDto } from './dto/exported-record.dto.js';

/** Kinds of records that can be exported. */
export const EXPORTED_KINDS = ['posts', 'comments'] as const;
export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/** The value of a field. */
export type ExportedValue = string | number | boolean | Date | string[] | null;

/** The values of a post's or comment's fields, in the format and order of the API. */
export type ExportedRow = readonly ExportedValue[];

/** A field of a record and the type of its column. */
export type ExportedField = Pick<EntityColumn, 'name' | 'type' | 'isArray' | 'isNullable'>;

/** How a table is exported. */
export interface ExportedTable {
  /** In the order of the API. */
  fields: readonly ExportedField[];
  /** SELECT list of the fields, formatted as in responses. */
  columns: string;
}

/** The exported fields of posts and comments. */
export const EXPORTED_TABLES: Record<ExportedKind, ExportedTable> = {
  posts: exportedTable(PostRecord, fieldsOf(ExportedPostDto)),
  comments: exportedTable(CommentRecord, fieldsOf(ExportedCommentDto)),
};

function exportedTable(entity: new () => object, names: readonly string[]): ExportedTable {
  const columns = new Map(columnsOf(entity).map((column) => [column.name, column]));
  return {
    fields: names.map((name) => columns.get(name)!),
    columns: names.map(selected).join(', '),
  };
}

function selected(name: string): string {
  return name === 'workspace_id' ? `'${publicId('workspace', '')}' || workspace_id AS workspace_id` : name;
}
