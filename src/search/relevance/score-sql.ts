import type { SqlParameters } from '../../database/sql.js';
import type { Slot } from '../query/condition.js';
import { slotTsquery } from '../query/tsquery.js';
import type { Ranking } from './ranking.js';
import { LENGTH_SHARE, MOST_OCCURRENCES, SATURATION, TITLE_WEIGHT } from './score.js';

/** The number of distinct words of a row, which scoring uses as its length. */
export const LENGTH = 'length(search)';
/** Name of the segment column with that number. */
export const LENGTH_COLUMN = 'length';

/** Weights for `ts_rank` by label, in the order D, C, B, A. Titles have label A. */
const IN_TITLE = `'{0,0,0,1}'`;
const ELSEWHERE = `'{1,1,1,0}'`;
const ANYWHERE = `'{1,1,1,1}'`;

/**
 * Values at which `ts_rank` of a single word with equal weights goes from `n - 1` to `n` occurrences: it is the sum of
 * `1 / j²` for `j` from 1 to `n`, divided by pi² / 6. `width_bucket` over these bounds counts occurrences in a tenth of
 * the time of `unnest`.
 */
const BOUNDS = ((): string => {
  let sum = 0;
  const bounds = Array.from({ length: 100 }, (_, index) => {
    const before = sum;
    sum += 1 / (index + 1) ** 2;
    return (before + sum) / 2 / 1.64493406685;
  });
  return `'{${bounds.join(',')}}'::float8[]`;
})();

/** The SQL of a row's score, and the join that counts the word occurrences it uses. */
export interface ScoreSql {
  join: string;
  expression: string;
}

/**
 * The SQL equivalent of `scoreOf`. It performs the same operations in the same order, so that both results are equal to
 * the last bit: paging may start with one and continue with the other. Exact up to 100 occurrences of a word.
 */
export function scoreSql({ words, averageLength }: Ranking, parameters: SqlParameters): ScoreSql {
  if (words.length === 0) return { join: '', expression: '0::float8' };
  const counts = words.map((word, index) => {
    const [titles, elsewhere] = occurrencesOf(word, parameters);
    return `${titles} AS titles_${index}, ${elsewhere} AS elsewhere_${index}`;
  });
  const average = `${parameters.add(averageLength)}::float8`;
  const saturation = `(${SATURATION}::float8 * (${1 - LENGTH_SHARE}::float8 + ${LENGTH_SHARE}::float8 * ${LENGTH} / ${average}))`;
  const scores = words.map(({ weight, field }, index) => {
    const titles = field === 'text' ? '0' : `least(${MOST_OCCURRENCES}, titles_${index})`;
    const elsewhere = field === 'title' ? '0' : `least(${MOST_OCCURRENCES}, elsewhere_${index})`;
    const frequency = `(${TITLE_WEIGHT} * ${titles} + ${elsewhere})::float8`;
    return `${parameters.add(weight)}::float8 * ${frequency} / (${frequency} + ${saturation})`;
  });
  return {
    // OFFSET 0 keeps Postgres from recomputing a count wherever it is used.
    join: `CROSS JOIN LATERAL (SELECT ${counts.join(', ')} OFFSET 0) AS occurrences`,
    expression: `(${scores.join(' + ')})`,
  };
}

/**
 * How often a word occurs in the title, and how often elsewhere: the sum of its counted lexemes, or 1 when only others
 * occur. For a prefix: 1 when it occurs.
 */
function occurrencesOf({ counted, others, isPrefix }: Slot, parameters: SqlParameters): [string, string] {
  const rank = (labels: string, slot: Slot): string =>
    `ts_rank(${labels}, search, ${parameters.add(slotTsquery(slot, null))}::tsquery)`;
  const occurs = (labels: string, lexemes: readonly string[]): string =>
    `(${rank(labels, { counted: lexemes, others: [], isPrefix })} > 0)::int`;
  if (isPrefix) return [occurs(IN_TITLE, counted), occurs(ELSEWHERE, counted)];
  const countOf = (labels: string, lexeme: string): string =>
    `width_bucket(${rank(labels, { counted: [lexeme], others: [], isPrefix: false })}::float8, ${BOUNDS})`;
  const total = (labels: string, counts: readonly string[]): string =>
    others.length === 0 ? counts.join(' + ') : `greatest(${counts.join(' + ')}, ${occurs(labels, others)})`;
  // `ts_rank` counts only from the first position on, where titles are; the rest is the difference from all positions.
  const titles = counted.map((lexeme) => countOf(IN_TITLE, lexeme));
  const rest = counted.map((lexeme) => `${countOf(ANYWHERE, lexeme)} - ${countOf(IN_TITLE, lexeme)}`);
  return [total(IN_TITLE, titles), total(ELSEWHERE, rest)];
}
