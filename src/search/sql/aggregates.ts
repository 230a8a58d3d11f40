import { type Sql, SqlParameters } from '../../database/sql.js';
import {
  type FacetsRequest,
  type Interval,
  type KeywordsRequest,
  MAX_BUCKETS,
  OTHER_VALUES,
  type SearchFilter,
  type SeriesRequest,
  SPLIT_LIMITS,
} from '../search-request.js';
import { type FieldRule, microseconds, nameKey } from '../searched-table.js';
import { conditionOf } from './conditions.js';

/**
 * Counts of matching rows by value, most frequent first (ties by value), and the total; all from one snapshot. Rows are
 * first counted by each combination of values, which Postgres does in parallel; the few groups are then added up.
 */
export function selectFacets({ table, workspaceId, filter, by, limit }: FacetsRequest): Sql {
  const parameters = new SqlParameters();
  const condition = conditionOf(table, workspaceId, filter, parameters);
  const most = parameters.add(limit);
  const single = by.filter((facet) => table.fields[facet]!.type !== 'list');
  const columns = single.flatMap((facet) => {
    const rule = table.fields[facet]!;
    const value = `${rule.sql} AS "${facet}"`;
    return hasKeyOfItsOwn(rule) ? [value, `${nameKey(rule)} AS "${facet} key"`] : [value];
  });
  const facets = by.map(
    (facet) =>
      `(SELECT '${facet}' AS facet, value, count FROM (${countByValue(facet, table.fields[facet]!)}) AS counted
        ORDER BY count DESC, value LIMIT ${most})`,
  );
  return {
    text: `WITH grouped AS MATERIALIZED (
        SELECT ${[...columns, 'count(*) AS count'].join(', ')} FROM ${table.name} WHERE ${condition}
        ${single.length === 0 ? '' : `GROUP BY ${columns.map((_, index) => index + 1).join(', ')}`}
      )
      ${[...facets, `(SELECT 'total', NULL, coalesce(sum(count), 0)::int FROM grouped)`].join(' UNION ALL ')}`,
    parameters: parameters.values,
  };

  function countByValue(facet: string, rule: FieldRule): string {
    const { type, sql } = rule;
    if (type === 'list')
      return `SELECT value ${IN_BYTES} AS value, count(*)::int AS count FROM ${table.name}
        CROSS JOIN LATERAL unnest(${sql}) AS value WHERE ${condition} GROUP BY 1`;
    const column = `"${facet}"`;
    const key = hasKeyOfItsOwn(rule) ? `"${facet} key"` : type === 'name' ? `lower(${column})` : column;
    return `SELECT min(${column} ${IN_BYTES}) AS value, sum(count)::int AS count FROM grouped GROUP BY ${key}`;
  }
}

/** Whether the key of a name depends on more than the name. */
const hasKeyOfItsOwn = ({ caseSensitiveRows }: FieldRule): boolean => caseSensitiveRows !== undefined;

/** Bytewise order, so that ties sort the same on every machine. */
const IN_BYTES = 'COLLATE "C"';

/**
 * Counts and sentiment sums of matching rows by time bucket in a zone, empty buckets included. Values of the split that
 * differ only in spelling count as one, as in {@link selectFacets}. The series runs from the first row, or
 * `created_after`, to the last row, or `created_before`. Returns at most one bucket more than {@link MAX_BUCKETS}.
 */
export function selectTimeSeries(request: SeriesRequest): Sql {
  const { table, workspaceId, filter, interval, timezone, splitBy } = request;
  const parameters = new SqlParameters();
  const zone = `${parameters.add(timezone)}::text`;
  const unit = `'${interval}'`;
  const rule = splitBy === null ? null : table.fields[splitBy]!;
  const split = rule?.sql ?? 'NULL::text';
  const key = rule === null ? `''` : rule.type === 'name' ? nameKey(rule) : rule.sql;
  const { counts, least, most: greatest } = SPLIT_LIMITS;
  const most = `SELECT greatest(${least}, least(${greatest}, ${counts} / greatest(1, count(*)))) FROM buckets`;
  const condition = conditionOf(table, workspaceId, filter, parameters);
  const bounds = boundsOf(filter, 'min(created_utc)', 'max(created_utc)', parameters);
  return {
    text: `WITH matched AS MATERIALIZED (
        SELECT created_utc, sentiment_score, ${split} AS split, ${key} AS key FROM ${table.name} WHERE ${condition}
      ), bounds AS (SELECT ${bounds} FROM matched), buckets AS (${starts(interval, zone)}), counted AS MATERIALIZED (
        SELECT date_trunc(${unit}, created_utc, ${zone}) AS label, key,
          min(split ${IN_BYTES}) AS spelling, count(*)::int AS count, sum(sentiment_score) AS total
        FROM matched GROUP BY 1, 2
      ), ranked AS (
        SELECT key, min(spelling) AS split, row_number() OVER (ORDER BY sum(count) DESC, min(spelling)) AS place
        FROM counted GROUP BY key
      ), shown AS (
        SELECT label, CASE WHEN place <= (${most}) THEN ranked.split ELSE '${OTHER_VALUES}' END AS split,
          sum(count)::int AS count, sum(total) AS total
        FROM counted JOIN ranked USING (key) GROUP BY 1, 2
      )
      SELECT buckets.start, shown.split, coalesce(shown.count, 0) AS count, coalesce(shown.total, 0) AS "sentimentSum"
      FROM buckets LEFT JOIN shown USING (label) ORDER BY buckets.start, shown.split ${IN_BYTES}`,
    parameters: parameters.values,
  };
}

/** A row of {@link selectBucketStarts}. */
export interface BucketStart {
  /** In microseconds since 1970. */
  start: string;
}

/**
 * The buckets of {@link selectTimeSeries}. `found` are the times of the first and last matching rows in microseconds
 * since 1970; null when no row matches.
 */
export function selectBucketStarts(
  { filter, interval, timezone }: Pick<SeriesRequest, 'filter' | 'interval' | 'timezone'>,
  found: { lowest: number; highest: number } | null,
): Sql {
  const parameters = new SqlParameters();
  const zone = `${parameters.add(timezone)}::text`;
  const time = (value: number | undefined): string =>
    `(timestamptz 'epoch' + ${parameters.add(value ?? null)}::bigint * interval '1 microsecond')`;
  const bounds = boundsOf(filter, time(found?.lowest), time(found?.highest), parameters);
  return {
    text: `WITH bounds AS (SELECT ${bounds}), buckets AS (${starts(interval, zone)})
      SELECT ${microseconds('start')} AS start FROM buckets ORDER BY buckets.start`,
    parameters: parameters.values,
  };
}

/** Columns `lowest` and `highest`: the filter's dates, or else those of the matching rows. */
function boundsOf(
  { created_after, created_before }: SearchFilter,
  lowest: string,
  highest: string,
  parameters: SqlParameters,
): string {
  const bound = (date: string | undefined): string => `${parameters.add(date ?? null)}::timestamptz`;
  return `coalesce(${bound(created_after)}, ${lowest}) AS lowest,
    coalesce(${bound(created_before)} - interval '1 microsecond', ${highest}) AS highest`;
}

/**
 * All buckets between the `bounds`, at most one more than {@link MAX_BUCKETS}: the `label` that Postgres gives their rows,
 * and the `start` of these rows. They differ near a clock change: when a local time occurs twice, the label is the later
 * one although rows count from the earlier one, and after a change of half an hour it lies before it.
 */
function starts(interval: Interval, zone: string): string {
  const unit = `'${interval}'`;
  const length = `interval '1 ${interval}'`;
  // Hours advance by elapsed time, in half-hour steps because some zones change their clocks by half an hour. Days and
  // longer units advance by the zone's calendar; two days can begin at the same moment where a zone skipped one.
  const [lowest, highest, step, label] =
    interval === 'hour'
      ? [
          'lowest',
          `highest + interval '30 minutes'`,
          `interval '30 minutes'`,
          `date_trunc(${unit}, least(step, highest), ${zone})`,
        ]
      : [
          `date_trunc(${unit}, lowest AT TIME ZONE ${zone})`,
          `highest AT TIME ZONE ${zone}`,
          length,
          `step AT TIME ZONE ${zone}`,
        ];
  // Stops one bucket past the maximum, so that a period of centuries costs no more to refuse than a slightly long one.
  const steps = `generate_series(${lowest}, least(${highest}, ${lowest} + ${MAX_BUCKETS} * ${length}), ${step})`;
  return `SELECT label, coalesce((SELECT min(label + gap)
      FROM unnest('{-2 hours,-1 hour,-30 minutes,-20 minutes,0,30 minutes}'::interval[]) AS gap
      WHERE date_trunc(${unit}, label + gap, ${zone}) = label), label) AS start
    FROM (SELECT DISTINCT ${label} AS label FROM bounds CROSS JOIN LATERAL ${steps} AS step
      WHERE highest >= lowest) AS labels`;
}

/**
 * Keywords of matching rows, most frequent first (ties by keyword). When the filter has both dates, each row also has
 * the keyword's count in the preceding period of the same length.
 */
export function selectKeywords(request: KeywordsRequest): Sql {
  const { table, workspaceId, filter, limit } = request;
  const parameters = new SqlParameters();
  const { sql } = table.fields.keyword!;
  const counts = (of: SearchFilter): string =>
    `SELECT keyword ${IN_BYTES} AS keyword, count(*)::int AS count FROM ${table.name}
     CROSS JOIN LATERAL unnest(${sql}) AS keyword WHERE ${conditionOf(table, workspaceId, of, parameters)} GROUP BY 1`;
  const other = comparedFilter(request);
  const most = parameters.add(limit);
  const current = counts(filter);
  if (other === null)
    return {
      text: `SELECT keyword, count, NULL::int AS "previousCount" FROM (${current}) AS current
        ORDER BY count DESC, keyword LIMIT ${most}`,
      parameters: parameters.values,
    };
  return {
    text: `SELECT keyword, current.count, coalesce(previous.count, 0) AS "previousCount"
      FROM (${current}) AS current LEFT JOIN (${counts(other)}) AS previous USING (keyword)
      ORDER BY current.count DESC, keyword LIMIT ${most}`,
    parameters: parameters.values,
  };
}

/** The filter of the rows with which keywords are compared; null when there are none. */
export function comparedFilter({ filter, comparedWith }: KeywordsRequest): SearchFilter | null {
  if (comparedWith !== undefined) return comparedWith;
  const before = periodBefore(filter);
  return before && { ...filter, ...before };
}

/** First and last times that JavaScript writes in a form that Postgres reads. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The preceding period of the same length as the filter's; null unless the filter has both dates and the result begins
 * in the years 1 to 9999.
 */
export function periodBefore({
  created_after,
  created_before,
}: SearchFilter): { created_after: string; created_before: string } | null {
  if (created_after === undefined || created_before === undefined) return null;
  const start = Date.parse(created_after);
  const length = Date.parse(created_before) - start;
  return {
    created_after: new Date(
      Math.min(LATEST_MS, Math.max(EARLIEST_MS, start - Math.max(0, length))),
    ).toISOString(),
    created_before: created_after,
  };
}
