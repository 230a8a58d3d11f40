import type { Sql } from '../../../database/sql.js';
import { tsquerySql } from '../query/query-condition.js';
import type { RunSearch } from '../search-database.js';
import { MOST_RANKED_WORDS } from './ranking.js';
import { rankedWords, rankingByNewest } from './word-statistics.js';

const WORKSPACE = '8a1c1d2e-0000-4000-8000-000000000001';

/** Answers every statement with one row. */
function answering(row: object): { run: RunSearch; statements: Sql[] } {
  const statements: Sql[] = [];
  const run = ((sql: Sql) => {
    statements.push(sql);
    return Promise.resolve([row]);
  }) as unknown as RunSearch;
  return { run, statements };
}

const word = (lexeme: string) => ({ kind: 'word', lexeme, isPrefix: false, inTitle: false }) as const;

describe('the words of a query', () => {
  it('rank up to a maximum number; further words only match', async () => {
    const lexemes = Array.from({ length: MOST_RANKED_WORDS + 3 }, (_, index) => `w${index}`);
    const { run } = answering({ query: lexemes.map((lexeme) => `'${lexeme}'`).join(' | ') });
    const words = await rankedWords(lexemes.join(' '), run);
    expect(words.map(({ lexeme }) => lexeme)).toEqual(lexemes.slice(0, MOST_RANKED_WORDS));
  });

  it('are read as in the condition, even when they begin with a stop word', async () => {
    const { run, statements } = answering({ query: `'over':*` });
    await rankedWords('over* solid', run);
    const words = `'over7kept7':* | 'solid'`;
    expect(statements).toEqual([
      { text: `SELECT (${tsquerySql(words, '$1')})::text AS query`, parameters: [words] },
    ]);
    expect(statements[0]!.text).toContain('regexp_replace');
  });

  it('need no statement when there are none', async () => {
    const { run, statements } = answering({});
    expect(await rankedWords(undefined, run)).toEqual([]);
    expect(await rankedWords('-solid author:ann', run)).toEqual([]);
    expect(await rankingByNewest('posts', WORKSPACE, [], run)).toEqual({ words: [], averageLength: 1 });
    expect(statements).toEqual([]);
  });

  it('are weighted by the newest rows of their own workspace', async () => {
    const { run, statements } = answering({ rows: 10, averageLength: 20, rowsWithWord: [1, 10] });
    const { words } = await rankingByNewest('posts', WORKSPACE, ['rare', 'frequent'].map(word), run);
    expect(words[0]!.weight).toBeGreaterThan(words[1]!.weight);
    const [{ text, parameters }] = statements as [Sql];
    expect(text).toContain('FROM posts WHERE workspace_id = $1');
    expect(text).toContain('ORDER BY created_utc DESC, id DESC LIMIT 2000');
    expect(parameters[0]).toBe(WORKSPACE);
  });
});
