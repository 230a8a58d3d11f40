import fc from 'fast-check';
import type pg from 'pg';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import type { MatchedRecord } from '../../src/search/matching/matched-record.js';
import { QueryMatcher } from '../../src/search/matching/query-matcher.js';
import { conditionOfQuery, type NearCondition } from '../../src/search/query/condition.js';
import { parseQuery } from '../../src/search/query/parse-query.js';
import { querySql } from '../../src/search/sql/query-sql.js';
import { nearSql } from '../../src/search/query/tsquery.js';
import { searchValue } from '../../src/text/search-value.js';
import { connect, createTestDatabase } from '../support/database.js';
import { queryArbitrary, recordArbitrary } from '../support/query-arbitraries.js';

const SEED = 44;

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Rows that all nodes of an executed plan read or returned. */
function rowsIn(node: PlanNode): number {
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return rows * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, one) => sum + rowsIn(one), 0);
}

const database = await createTestDatabase();

describe('a query in Postgres', () => {
  let client: pg.Client;
  const records: MatchedRecord[] = fc.sample(recordArbitrary, { numRuns: 150, seed: SEED });

  beforeAll(async () => {
    client = await connect(database.url);
    await client.query(`CREATE TEMPORARY TABLE texts (id text, author text, forum text, flair text, score integer,
      created_utc timestamptz, is_nsfw boolean, is_promotion boolean, search tsvector)`);
    for (const [id, { texts, language, values, numbers, flags }] of records.entries())
      await client.query(`INSERT INTO texts VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8::tsvector)`, [
        id,
        values.author,
        values.forum,
        numbers.score,
        new Date(numbers.created!),
        flags['is:nsfw'],
        flags['is:promotion'],
        searchValue(texts, language),
      ]);
  });
  afterAll(async () => {
    await client.end();
  });

  async function found(q: string): Promise<number[]> {
    const parameters: unknown[] = [];
    const condition = querySql(
      conditionOfQuery(parseQuery(q).tree),
      POST_SEARCH.fields,
      (value) => `$${parameters.push(value)}`,
    );
    const sql = `SELECT id FROM texts WHERE ${condition} ORDER BY id::int`;
    return (await client.query<{ id: string }>(sql, parameters)).rows.map(({ id }) => Number(id));
  }

  it('finds the same records as the matcher of alerts', async () => {
    const queries = fc.sample(queryArbitrary, { numRuns: 400, seed: SEED });
    const matcher = await QueryMatcher.compile(queries.map((q) => conditionOfQuery(parseQuery(q).tree)));
    const expected = queries.map((): number[] => []);
    records.forEach((record, id) => matcher.match(record, (query) => expected[query]!.push(id)));
    for (const [index, q] of queries.entries()) expect([q, await found(q)]).toEqual([q, expected[index]]);
    expect(expected.filter((ids) => ids.length > 0).length).toBeGreaterThan(200);
  });

  it('reads the places of words near each other as often as they occur', async () => {
    const words = Array.from({ length: 15 }, (_, word) => `w${word}`);
    const parameters: unknown[] = [];
    const near = conditionOfQuery(parseQuery(`"${words.join(' ')} z"~100`).tree) as NearCondition;
    const condition = nearSql(near, (value) => `$${parameters.push(value)}`);
    const rowsOf = async (places: number): Promise<number> => {
      const positions = (word: number) =>
        Array.from({ length: places }, (_, at) => 1 + word + at * words.length);
      const vector = words.map((word, number) => `${word}:${positions(number).join(',')}`).join(' ');
      await client.query('CREATE TEMPORARY TABLE one AS SELECT $1::tsvector AS search', [`${vector} z:9000`]);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) SELECT FROM one WHERE ${condition}`,
        parameters,
      );
      await client.query('DROP TABLE one');
      return rowsIn(rows[0]!['QUERY PLAN'][0].Plan);
    };
    const [once, twice, fourTimes] = [await rowsOf(60), await rowsOf(120), await rowsOf(240)];
    expect(twice).toBeLessThan(2.1 * once);
    expect(fourTimes).toBeLessThan(2.1 * twice);
  });

  it('accepts any text', async () => {
    for (const q of fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { numRuns: 300, seed: SEED }))
      await found(q.replaceAll('\0', ''));
    await found('word '.repeat(800));
  });
});
