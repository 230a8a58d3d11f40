import autocannon from 'autocannon';
import pg from 'pg';
import { camelCase } from '../../../src/common/strings.js';
import { selectList } from '../../../src/database/entity-columns.js';
import type { Sql } from '../../../src/database/sql.js';
import { POST_LIST_FIELDS } from '../../../src/content/posts/dto/post.dto.js';
import { POST_SEARCH } from '../../../src/content/posts/post-filter.js';
import { selectPage } from '../../../src/search/sql/page-statements.js';

/** Connections of every rate, as many as the service has to Postgres. */
export const CONNECTIONS = 10;

/** How often a second requests are answered in a closed loop. Throws when one is refused. */
export async function requestRate(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors of ${url}`);
  return result.requests.average;
}

/** How often a second a statement runs through `pg` in a closed loop. */
export async function statementRate(
  databaseUrl: string,
  { text, parameters }: Sql,
  seconds: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  try {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (performance.now() < until) {
          await pool.query(text, parameters);
          done += 1;
        }
      }),
    );
  } finally {
    await pool.end();
  }
  return done / seconds;
}

/** The statement behind the first page of 50 posts. */
export const selectNewestPosts = (workspaceId: string): Sql =>
  selectPage({
    table: POST_SEARCH,
    workspaceId,
    columns: selectList(POST_LIST_FIELDS.map(camelCase)),
    filter: {},
    order: { sort_by: 'created_utc', sort_order: 'desc' },
    after: null,
    limit: 51,
    ranking: null,
  });
