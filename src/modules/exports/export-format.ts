import { POST_FIELDS, type PostDto } from '../posts/dto/post.dto.js';

/** The formats of an export. */
export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The media type of each format. */
export const CONTENT_TYPE: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Joins the items of a list in one cell. */
const LIST_SEPARATOR = '|';
/** Spreadsheets take a cell that begins so for a formula and run it. */
const FORMULA_START = /^[=+\-@\t\r]/;

type Cell = string | number | boolean;

/** A post as cells: lists joined, times as ISO 8601, text that a spreadsheet would run defused. */
export function toCells(post: PostDto): Record<string, Cell> {
  return Object.fromEntries(POST_FIELDS.map((field) => [field, toCell(post[field])]));
}

function toCell(value: PostDto[keyof PostDto]): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  const text = Array.isArray(value) ? value.join(LIST_SEPARATOR) : (value ?? '');
  return FORMULA_START.test(text) ? `'${text}` : text;
}

/** `posts-technology-2026-11-21.csv`: what it holds, of which forum when one was asked for, and when. */
export function fileName(format: ExportFormat, forum: string | undefined, now: Date): string {
  const name = forum?.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);
  return ['posts', ...(name ? [name] : []), now.toISOString().slice(0, 10)].join('-') + `.${format}`;
}
