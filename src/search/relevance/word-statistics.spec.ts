import { rankedWord } from '../../../test/support/ranked-word.js';
import type { Sql } from '../../database/sql.js';
import type { RunSearch } from '../search-database.js';
import { MOST_RANKED_WORDS, rankedWords } from '../query/ranked-slots.js';
import { rankingByNewest } from './word-statistics.js';

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

describe('the words of a query', () => {
  it('rank up to a maximum number; further words only match', () => {
    const words = Array.from({ length: MOST_RANKED_WORDS + 3 }, (_, index) => `w${index}`);
    const ranked = rankedWords(words.join(' '));
    expect(ranked.map(({ counted }) => counted[0])).toEqual(words.slice(0, MOST_RANKED_WORDS));
  });

  it('rank once each, unless they are excluded', () => {
    const forms = rankedWords('solar "solar wind" -cell title:solar solar').map(
      ({ counted, field }) => `${counted[0]!} ${String(field)}`,
    );
    expect(forms).toEqual(['solar null', 'solar null', 'wind null', 'solar title']);
  });

  it('need no statement when there are none', async () => {
    const { run, statements } = answering({});
    expect(rankedWords(undefined)).toEqual([]);
    expect(rankedWords('-solid author:ann')).toEqual([]);
    expect(await rankingByNewest('posts', WORKSPACE, [], run)).toEqual({ words: [], averageLength: 1 });
    expect(statements).toEqual([]);
  });

  it('are weighted by the newest rows of their own workspace', async () => {
    const { run, statements } = answering({ rows: 10, averageLength: 20, rowsWithWord: [1, 10] });
    const { words } = await rankingByNewest(
      'posts',
      WORKSPACE,
      ['rare', 'frequent'].map((lexeme) => rankedWord(lexeme)),
      run,
    );
    expect(words[0]!.weight).toBeGreaterThan(words[1]!.weight);
    const [{ text, parameters }] = statements as [Sql];
    expect(text).toContain('FROM posts WHERE workspace_id = $1');
    expect(text).toContain('ORDER BY created_utc DESC, id DESC LIMIT 2000');
    expect(parameters[0]).toBe(WORKSPACE);
  });
});
