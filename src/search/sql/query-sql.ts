import type { Condition } from '../query/condition.js';
import type { BoundField, Flag, ValueField } from '../query/query-tree.js';
import { type FieldRule, hasName, type SearchedTable } from '../searched-table.js';
import { nearSql, nearTsquery, phraseTsquery } from '../query/tsquery.js';

/** Fields of tables by the names that queries use. */
export const FIELD_NAMES: Readonly<Record<ValueField | BoundField | Flag, string>> = {
  author: 'author',
  forum: 'forum',
  flair: 'flair',
  keyword: 'keyword',
  source: 'source',
  lang: 'language',
  type: 'post_type',
  sentiment: 'sentiment',
  score: 'score',
  comments: 'num_comments',
  ratio: 'upvote_ratio',
  created: 'created_utc',
  'is:nsfw': 'is_nsfw',
  'is:spoiler': 'is_spoiler',
  'is:promotion': 'is_promotion',
  'has:media': 'has_media',
  'has:comments': 'num_comments',
};

/** Whether a field of queries, given by its name there, has a meaning for a table. */
export const hasField = ({ fields, texts }: Pick<SearchedTable, 'fields' | 'texts'>, name: string): boolean =>
  name === 'text' ||
  (name === 'title'
    ? texts.includes('title')
    : fields[FIELD_NAMES[name as keyof typeof FIELD_NAMES]] !== undefined);

/** A part of a query as SQL. Words stay one `tsquery`, so that one index scan finds them together. */
type Part = { tsquery: string } | { sql: string };

/** The condition of a query as SQL; a field that the table lacks matches nothing. */
export function querySql(
  condition: Condition,
  fields: SearchedTable['fields'],
  add: (value: unknown) => string,
): string {
  return sqlOf(toPart(condition));

  function toPart(of: Condition): Part {
    switch (of.kind) {
      case 'all':
        return { sql: 'TRUE' };
      case 'none':
        return { sql: 'FALSE' };
      case 'phrase':
        return { tsquery: phraseTsquery(of) };
      case 'near':
        return { sql: `(${matches(nearTsquery(of))} AND ${nearSql(of, add)})` };
      case 'value':
        return { sql: valueSql(fields[FIELD_NAMES[of.field]], of.value, of.isPrefix, add) };
      case 'bound': {
        const rule = fields[FIELD_NAMES[of.field]];
        const type = typeof of.value === 'number' ? 'float8' : 'timestamptz';
        return { sql: rule === undefined ? 'FALSE' : `${rule.sql} ${of.operator} ${add(of.value)}::${type}` };
      }
      case 'flag': {
        const rule = fields[FIELD_NAMES[of.flag]];
        if (rule === undefined) return { sql: 'FALSE' };
        return { sql: rule.type === 'boolean' ? rule.sql : `${rule.sql} > 0` };
      }
      case 'not': {
        const operand = toPart(of.operand);
        return 'sql' in operand ? { sql: `NOT ${operand.sql}` } : { tsquery: `!${operand.tsquery}` };
      }
      case 'and':
      case 'or':
        return joined(of.kind, of.operands.map(toPart));
    }
  }

  function joined(kind: 'and' | 'or', parts: readonly Part[]): Part {
    const texts = parts.flatMap((part) => ('tsquery' in part ? [part.tsquery] : []));
    const conditions = parts.flatMap((part) => ('sql' in part ? [part.sql] : []));
    const text = `(${texts.join(kind === 'and' ? ' & ' : ' | ')})`;
    if (conditions.length === 0) return { tsquery: text };
    if (texts.length > 0) conditions.unshift(matches(text));
    return { sql: `(${conditions.join(kind === 'and' ? ' AND ' : ' OR ')})` };
  }

  function sqlOf(part: Part): string {
    return 'sql' in part ? part.sql : matches(part.tsquery);
  }

  function matches(tsquery: string): string {
    return `search @@ ${add(tsquery)}::tsquery`;
  }
}

function valueSql(
  rule: FieldRule | undefined,
  value: string,
  isPrefix: boolean,
  add: (value: unknown) => string,
): string {
  if (rule === undefined) return 'FALSE';
  const name = add(value);
  const wanted = `lower(${name}::text)`;
  if (rule.type === 'list')
    return isPrefix
      ? `EXISTS (SELECT FROM unnest(${rule.sql}) AS one WHERE starts_with(one, ${wanted}))`
      : `${rule.sql} @> ARRAY[${wanted}]`;
  return hasName(rule, name, isPrefix);
}
