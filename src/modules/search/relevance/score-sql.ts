import type { SqlParameters } from '../../../database/sql.js';
import { type QueryWord, wordAsTsquery } from '../query/tsquery.js';
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
    const query = `${parameters.add(wordAsTsquery(word))}::tsquery`;
    const [titles, all] = occurrencesOf(word, query);
    return `${titles} AS titles_${index}, ${all} AS all_${index}`;
  });
  const average = `${parameters.add(averageLength)}::float8`;
  const saturation = `(${SATURATION}::float8 * (${1 - LENGTH_SHARE}::float8 + ${LENGTH_SHARE}::float8 * ${LENGTH} / ${average}))`;
  const scores = words.map(({ weight, inTitle }, index) => {
    const titles = `${TITLE_WEIGHT} * least(${MOST_OCCURRENCES}, titles_${index})`;
    const elsewhere = `least(${MOST_OCCURRENCES}, all_${index} - titles_${index})`;
    const frequency = `(${inTitle ? titles : `${titles} + ${elsewhere}`})::float8`;
    return `${parameters.add(weight)}::float8 * ${frequency} / (${frequency} + ${saturation})`;
  });
  return {
    // OFFSET 0 keeps Postgres from recomputing a count wherever it is used.
    join: `CROSS JOIN LATERAL (SELECT ${counts.join(', ')} OFFSET 0) AS occurrences`,
    expression: `(${scores.join(' + ')})`,
  };
}

/**
 * How often a word occurs in the title, and how often anywhere. For a prefix: whether it occurs in the title, and
 * whether elsewhere.
 */
function occurrencesOf({ isPrefix }: QueryWord, query: string): [string, string] {
  const rank = (weights: string): string => `ts_rank(${weights}, search, ${query})`;
  if (!isPrefix) {
    const count = (weights: string): string => `width_bucket(${rank(weights)}::float8, ${BOUNDS})`;
    return [count(IN_TITLE), count(ANYWHERE)];
  }
  const occurs = (weights: string): string => `(${rank(weights)} > 0)::int`;
  return [occurs(IN_TITLE), `${occurs(IN_TITLE)} + ${occurs(ELSEWHERE)}`];
}
