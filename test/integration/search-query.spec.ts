import fc from 'fast-check';
import type pg from 'pg';
import { POST_SEARCH } from '../../src/modules/posts/post-filter.js';
import type { MatchedRecord } from '../../src/modules/search/matching/matched-record.js';
import { QueryMatcher } from '../../src/modules/search/matching/query-matcher.js';
import { conditionOfQuery } from '../../src/modules/search/query/condition.js';
import { parseQuery } from '../../src/modules/search/query/parse-query.js';
import { querySql } from '../../src/modules/search/sql/query-sql.js';
import { searchValue } from '../../src/text/search-value.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database.js';
import { queryArbitrary, recordArbitrary } from '../support/query-arbitraries.js';

const SEED = 44;

describe('a query in Postgres', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const records: MatchedRecord[] = fc.sample(recordArbitrary, { numRuns: 150, seed: SEED });

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect(database.url);
    await client.query(`CREATE TEMPORARY TABLE texts (id text, author text, forum text, flair text, score integer,
      created_utc timestamptz, is_nsfw boolean, search tsvector)`);
    for (const [id, { texts, language, values, numbers, flags }] of records.entries())
      await client.query(`INSERT INTO texts VALUES ($1, $2, $3, '', $4, $5, $6, $7::tsvector)`, [
        id,
        values.author,
        values.forum,
        numbers.score,
        new Date(numbers.created!),
        flags['is:nsfw'],
        searchValue(texts, language),
      ]);
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
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
  }, 60_000);

  it('accepts any text', async () => {
    for (const q of fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { numRuns: 300, seed: SEED }))
      await found(q.replaceAll('\0', ''));
    await found('word '.repeat(800));
  }, 60_000);
});
