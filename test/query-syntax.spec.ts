import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/doc-blocks.js';
import { parseQuery } from '../src/search/query/parse-query.js';
import { QUERY_SYNTAX } from '../src/search/query/query-syntax.js';

describe('the help of the query language', () => {
  it('is the table of docs/search.md', () => {
    const rows = QUERY_SYNTAX.map(
      ({ examples, meaning }) => `| ${examples.map((one) => `\`${one}\``).join(', ')} | ${meaning} |`,
    );
    const page = readFileSync(join(ROOT, 'docs/search.md'), 'utf8');
    expect(page).toContain(`| Write | Finds |\n|---|---|\n${rows.join('\n')}\n`);
  });

  it.each(QUERY_SYNTAX.flatMap(({ examples }) => examples))('explains %s, which has a meaning', (example) => {
    expect(parseQuery(example)).toMatchObject({ tree: expect.anything() as unknown, notices: [] });
  });
});
