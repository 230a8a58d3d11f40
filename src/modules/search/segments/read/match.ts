import type { SqlParameters } from '../../../../database/sql.js';
import { parseQuery } from '../../query/parse-query.js';
import { toTsquery, tsquerySql } from '../../query/query-condition.js';
import type { FieldNode, QueryNode } from '../../query/query-tree.js';
import { readTsquery, type WordQuery } from '../../query/tsquery.js';
import type { SearchFilter } from '../../search-request.js';
import { type FieldRule, type FilterRule, microseconds, type SearchedTable } from '../../searched-table.js';
import { givenFilters } from '../../sql/conditions.js';
import type { Range } from '../format/range.js';
import { valueKey, valuePrefix, wordKey } from '../format/term-keys.js';

/** How a number is compared with a bound. */
type BoundOperator = Exclude<FilterRule['operator'], '=' | 'in'>;

/** Which rows of a segment a filter matches. */
export type Match =
  | { kind: 'all' }
  | { kind: 'none' }
  /** Rows of the terms whose keys begin with `key`, or of the term `key` only when `isWhole`. */
  | { kind: 'terms'; key: string; isWhole: boolean; inTitle: boolean }
  /** Rows in which whole words follow each other; `distances` are the positions from each word to the next. */
  | { kind: 'phrase'; words: { key: string; inTitle: boolean }[]; distances: number[] }
  | { kind: 'bound'; column: string; operator: BoundOperator; value: number }
  | { kind: 'not'; operand: Match }
  | { kind: 'and' | 'or'; operands: Match[] };

/**
 * Expressions that Postgres computes for a match, so that lower case, stems and times are the same as in its own
 * statements.
 */
export class PostgresExpressions {
  readonly expressions: string[] = [];

  constructor(readonly parameters: SqlParameters) {}

  /** Adds an expression over a value; returns the index of its result. */
  add(expression: (placeholder: string) => string, value: unknown): number {
    this.expressions.push(expression(this.parameters.add(value)));
    return this.expressions.length - 1;
  }
}

/**
 * A match that still needs the results of {@link PostgresExpressions}, as text. Null when segments cannot answer it:
 * phrases of word prefixes.
 */
export type PlannedMatch = (results: readonly string[]) => Match | null;

/** The match of a filter; null when the filter is by a field that segments do not store. */
export function planMatch(
  { fields, filters }: Pick<SearchedTable, 'fields' | 'filters'>,
  filter: SearchFilter,
  computed: PostgresExpressions,
): PlannedMatch | null {
  const parts: PlannedMatch[] = [];
  for (const [name, value] of givenFilters(filter)) {
    if (name === 'q') {
      parts.push(planQuery(parseQuery(String(value)), fields, computed));
      continue;
    }
    const { field, operator } = filters[name]!;
    const { segment, type } = fields[field]!;
    if (!segment || operator === 'in') return null;
    if (operator === '=') parts.push(planValue(field, type, String(value), computed));
    else parts.push(planBound(field, operator, value, computed));
  }
  return joined('and', parts);
}

function planBound(
  column: string,
  operator: BoundOperator,
  value: unknown,
  computed: PostgresExpressions,
): PlannedMatch {
  if (typeof value === 'number') return () => ({ kind: 'bound', column, operator, value });
  const index = computed.add((placeholder) => microseconds(`${placeholder}::timestamptz`), value);
  return (results) => ({ kind: 'bound', column, operator, value: Number(results[index]) });
}

function planValue(
  field: string,
  type: FieldRule['type'],
  value: string,
  computed: PostgresExpressions,
): PlannedMatch {
  if (type === 'name') {
    const index = computed.add((placeholder) => `lower(${placeholder}::text)`, value);
    return (results) => ({
      kind: 'terms',
      key: valuePrefix(field, results[index]!),
      isWhole: false,
      inTitle: false,
    });
  }
  // Every row with the value has a first occurrence of it, however often its list repeats it.
  const key = valueKey(field, value, type === 'list' ? '1' : '');
  return () => ({ kind: 'terms', key, isWhole: true, inTitle: false });
}

/** As in `queryCondition`: text parts stay one `tsquery`, which Postgres parses. */
type Part = { tsquery: string } | { match: PlannedMatch };

function planQuery(
  node: QueryNode | null,
  fields: SearchedTable['fields'],
  computed: PostgresExpressions,
): PlannedMatch {
  if (node === null) return none;
  const part = toPart(node);
  return 'match' in part ? part.match : planWords(part.tsquery, 'none', computed);

  function toPart(of: QueryNode): Part {
    switch (of.kind) {
      case 'text':
        return { tsquery: toTsquery(of) };
      case 'field':
        return { match: planField(of, fields, computed) };
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

/** The match of a field of a query, which ignores case; a table without the field has no such rows. */
function planField(
  { field, value }: FieldNode,
  fields: SearchedTable['fields'],
  computed: PostgresExpressions,
): PlannedMatch {
  const rule = fields[field];
  if (rule === undefined) return none;
  return rule.segment && rule.type === 'name' ? planValue(field, 'name', value, computed) : () => null;
}

/** The match of a `tsquery`; `whenEmpty` when it has only stop words. */
function planWords(tsquery: string, whenEmpty: 'all' | 'none', computed: PostgresExpressions): PlannedMatch {
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

/**
 * A match of the same rows of a segment with fewer conditions: bounds that all of its rows or none of them satisfy are
 * replaced. `rangeOf` returns the range of a column in the segment.
 */
export function narrowed(match: Match, rangeOf: (column: string) => Range): Match {
  switch (match.kind) {
    case 'bound':
      return narrowedBound(match, rangeOf(match.column));
    case 'not': {
      const operand = narrowed(match.operand, rangeOf);
      if (operand.kind === 'all') return { kind: 'none' };
      return operand.kind === 'none' ? { kind: 'all' } : { kind: 'not', operand };
    }
    case 'and':
      return narrowedGroup('and', 'none', 'all', match.operands, rangeOf);
    case 'or':
      return narrowedGroup('or', 'all', 'none', match.operands, rangeOf);
    default:
      return match;
  }
}

/** One operand of the kind `decisive` decides the whole; those of the kind `neutral` change nothing. */
function narrowedGroup(
  kind: 'and' | 'or',
  decisive: 'all' | 'none',
  neutral: 'all' | 'none',
  all: readonly Match[],
  rangeOf: (column: string) => Range,
): Match {
  const operands = all.map((operand) => narrowed(operand, rangeOf)).filter((one) => one.kind !== neutral);
  if (operands.some((one) => one.kind === decisive)) return { kind: decisive };
  if (operands.length === 0) return { kind: neutral };
  return operands.length === 1 ? operands[0]! : { kind, operands };
}

function narrowedBound(match: Match & { kind: 'bound' }, range: Range): Match {
  const { operator, value } = match;
  const holds = (number: number): boolean =>
    operator === '>=' ? number >= value : operator === '<=' ? number <= value : number < value;
  if (holds(range.lowest) && holds(range.highest)) return { kind: 'all' };
  return holds(range.lowest) || holds(range.highest) ? match : { kind: 'none' };
}
