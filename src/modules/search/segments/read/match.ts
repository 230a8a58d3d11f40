import type { SqlParameters } from '../../../../database/sql.js';
import { parseQuery } from '../../query/parse-query.js';
import type { QueryColumns } from '../../query/query-condition.js';
import { toTsquery, tsquerySql } from '../../query/query-condition.js';
import type { QueryNode } from '../../query/query-tree.js';
import type { BoundRule, SearchedTable } from '../../searched-table.js';
import { microseconds } from '../../searched-table.js';
import { valueKey, valuePrefix, wordKey } from '../format/term-keys.js';
import { readTsquery, type WordQuery } from '../../query/tsquery.js';

/** Which rows of a segment a filter matches. */
export type Match =
  | { kind: 'all' }
  | { kind: 'none' }
  /** Rows of the terms whose keys begin with `key`, or of the term `key` only when `isWhole`. */
  | { kind: 'terms'; key: string; isWhole: boolean; inTitle: boolean }
  /** Rows in which whole words follow each other; `distances` are the positions from each word to the next. */
  | { kind: 'phrase'; words: { key: string; inTitle: boolean }[]; distances: number[] }
  | { kind: 'bound'; column: string; operator: BoundRule['operator']; value: number }
  | { kind: 'not'; operand: Match }
  | { kind: 'and' | 'or'; operands: Match[] };

/**
 * Expressions that Postgres computes for a match, so that lower case, stems and times are the same as in its own
 * statements.
 */
export class Computed {
  readonly expressions: string[] = [];

  constructor(readonly parameters: SqlParameters) {}

  /** Adds an expression over a value; returns the index of its result. */
  add(expression: (placeholder: string) => string, value: unknown): number {
    this.expressions.push(expression(this.parameters.add(value)));
    return this.expressions.length - 1;
  }
}

/**
 * A match that still needs the results of {@link Computed}, as text. Null when segments cannot answer it: phrases of
 * word prefixes.
 */
export type PlannedMatch = (results: readonly string[]) => Match | null;

type Table<Filter extends { q?: string }> = Pick<
  SearchedTable<Filter, string>,
  'facets' | 'segments' | 'query'
>;

/** The match of a filter; null when the filter has a field that segments do not store. */
export function planMatch<Filter extends { q?: string }>(
  { facets, segments, query }: Table<Filter>,
  filter: Filter,
  computed: Computed,
): PlannedMatch | null {
  const parts: PlannedMatch[] = [];
  for (const field of Object.keys(filter) as (keyof Filter & string)[]) {
    const value = filter[field];
    if (value === undefined) continue;
    const rule = segments.bounds[field];
    if (field === 'q') parts.push(planQuery(parseQuery(String(value)), query, computed));
    else if (rule !== undefined) parts.push(planBound(rule, value, computed));
    else if (segments.flags.includes(field)) {
      const key = valueKey(field, String(value), '');
      parts.push(() => ({ kind: 'terms', key, isWhole: true, inTitle: false }));
    } else if (facets[field] !== undefined)
      parts.push(planValue(field, facets[field].kind, String(value), computed));
    else return null;
  }
  return joined('and', parts);
}

function planBound({ column, operator }: BoundRule, value: unknown, computed: Computed): PlannedMatch {
  if (typeof value === 'number') return () => ({ kind: 'bound', column, operator, value });
  const index = computed.add((placeholder) => microseconds(`${placeholder}::timestamptz`), value);
  return (results) => ({ kind: 'bound', column, operator, value: Number(results[index]) });
}

function planValue(
  field: string,
  kind: 'exact' | 'name' | 'list',
  value: string,
  computed: Computed,
): PlannedMatch {
  if (kind === 'name') {
    const index = computed.add((placeholder) => `lower(${placeholder}::text)`, value);
    return (results) => ({
      kind: 'terms',
      key: valuePrefix(field, results[index]!),
      isWhole: false,
      inTitle: false,
    });
  }
  // Every row with the value has a first occurrence of it, however often its list repeats it.
  const key = valueKey(field, value, kind === 'list' ? '1' : '');
  return () => ({ kind: 'terms', key, isWhole: true, inTitle: false });
}

/** As in `queryCondition`: text parts stay one `tsquery`, which Postgres parses. */
type Part = { tsquery: string } | { match: PlannedMatch };

function planQuery(node: QueryNode | null, columns: QueryColumns, computed: Computed): PlannedMatch {
  if (node === null) return none;
  const part = toPart(node);
  return 'match' in part ? part.match : planWords(part.tsquery, 'none', computed);

  function toPart(of: QueryNode): Part {
    switch (of.kind) {
      case 'text':
        return { tsquery: toTsquery(of) };
      case 'field':
        return {
          match: columns[of.field] === null ? none : planValue(of.field, 'name', of.value, computed),
        };
      case 'not': {
        const operand = toPart(of.operand);
        return 'match' in operand ? { match: negated(operand.match) } : { tsquery: `!(${operand.tsquery})` };
      }
      case 'and':
      case 'or': {
        const parts = of.operands.map(toPart);
        const texts = parts.flatMap((one) => ('tsquery' in one ? [one.tsquery] : []));
        const matches = parts.flatMap((one) => ('match' in one ? [one.match] : []));
        const tsquery = `(${texts.join(of.kind === 'and' ? ' & ' : ' | ')})`;
        if (matches.length === 0) return { tsquery };
        // Next to another condition, a text with only stop words is no restriction.
        if (texts.length > 0) matches.push(planWords(tsquery, of.kind === 'and' ? 'all' : 'none', computed));
        return { match: joined(of.kind, matches) };
      }
    }
  }
}

/** The match of a `tsquery`; `whenEmpty` when it has only stop words. */
function planWords(tsquery: string, whenEmpty: 'all' | 'none', computed: Computed): PlannedMatch {
  const index = computed.add((placeholder) => `(${tsquerySql(tsquery, placeholder)})::text`, tsquery);
  return (results) => {
    const query = readTsquery(results[index]!);
    if (query === 'unreadable') return null;
    return query === null ? { kind: whenEmpty } : toMatch(query);
  };
}

function toMatch(query: WordQuery): Match {
  switch (query.kind) {
    case 'word':
      return {
        kind: 'terms',
        key: wordKey(query.lexeme),
        isWhole: !query.isPrefix,
        inTitle: query.inTitle,
      };
    case 'phrase': {
      const words = query.words.map(({ lexeme, inTitle }) => ({ key: wordKey(lexeme), inTitle }));
      return { kind: 'phrase', words, distances: query.distances };
    }
    case 'not':
      return { kind: 'not', operand: toMatch(query.operand) };
    default:
      return { kind: query.kind, operands: query.operands.map(toMatch) };
  }
}

const none: PlannedMatch = () => ({ kind: 'none' });

function negated(operand: PlannedMatch): PlannedMatch {
  return (results) => {
    const match = operand(results);
    return match && { kind: 'not', operand: match };
  };
}

function joined(kind: 'and' | 'or', parts: readonly PlannedMatch[]): PlannedMatch {
  return (results) => {
    const operands = parts.map((part) => part(results));
    if (operands.some((operand) => operand === null)) return null;
    if (operands.length === 0) return { kind: kind === 'and' ? 'all' : 'none' };
    return { kind, operands: operands as Match[] };
  };
}
