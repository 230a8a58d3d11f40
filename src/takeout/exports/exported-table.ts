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

/** Expressions of the fields that are not columns of the table, or not as they are stored. */
const SELECTED: Readonly<Record<string, string>> = {
  workspace_id: `'${publicId('workspace', '')}' || workspace_id`,
  model_label: 'coalesce(model_label, sentiment_label)',
  sentiment_source: `CASE WHEN model_label IS NULL THEN 'model' ELSE 'person' END`,
};

const NAMES = { posts: fieldsOf(ExportedPostDto), comments: fieldsOf(ExportedCommentDto) };

/** The exported fields of posts and comments. */
export const EXPORTED_TABLES = exportedTables(() => true);

/** Those of datasets, whose files keep their columns: fields that exports gained later are not among them. */
export const FROZEN_TABLES = exportedTables((name) => !['model_label', 'sentiment_source'].includes(name));

function exportedTables(isExported: (name: string) => boolean): Record<ExportedKind, ExportedTable> {
  return {
    posts: exportedTable(PostRecord, NAMES.posts.filter(isExported)),
    comments: exportedTable(CommentRecord, NAMES.comments.filter(isExported)),
  };
}

function exportedTable(entity: new () => object, names: readonly string[]): ExportedTable {
  const columns = new Map(columnsOf(entity).map((column) => [column.name, column]));
  return {
    fields: names.map((name) => ({
      type: 'text',
      isArray: false,
      isNullable: false,
      ...columns.get(name),
      name,
    })),
    columns: names.map((name) => (name in SELECTED ? `${SELECTED[name]!} AS ${name}` : name)).join(', '),
  };
}
