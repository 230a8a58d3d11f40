import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { matchesNaively } from '../../../../test/support/naive-matcher.js';
import { queryArbitrary, recordArbitrary } from '../../../../test/support/query-arbitraries.js';
import { detectLanguage } from '../../../text/language/detect-language.js';
import { conditionOfQuery } from '../query/condition.js';
import { parseQuery } from '../query/parse-query.js';
import type { MatchedRecord } from './matched-record.js';
import { QueryMatcher } from './query-matcher.js';

const CASES = join(process.cwd(), '../shared/search/cases.ndjson');

interface Case {
  text: string;
  q: string;
  match: boolean;
}

/** The post that a case describes; `[title] …` and the like name its fields. */
function recordOf(text: string): MatchedRecord {
  const fields: Record<string, string> = {};
  const rest = text.replace(/\[(\w+)\] ([^[]*)/g, (_all, name: string, value: string) => {
    fields[name] = value.trim();
    return '';
  });
  return {
    texts: { title: fields.title ?? '', text: fields.body ?? rest.trim() },
    language: detectLanguage(fields.title ?? rest),
    values: {
      author: fields.author ?? 'ann',
      forum: fields.forum ?? 'chess',
      type: fields.type ?? 'self',
      sentiment: fields.sentiment ?? 'neutral',
    },
    numbers: {
      score: Number(fields.score ?? 1),
      comments: Number(fields.comments ?? 0),
      created: Date.parse(fields.created ?? '2026-01-01'),
    },
    flags: { 'is:nsfw': fields.nsfw === 'true' },
  };
}

const compile = (queries: readonly string[]): Promise<QueryMatcher> =>
  QueryMatcher.compile(queries.map((q) => conditionOfQuery(parseQuery(q).tree)));

const matches = (matcher: QueryMatcher, record: MatchedRecord): number[] => {
  const found: number[] = [];
  matcher.match(record, (query) => found.push(query));
  return found.sort((a, b) => a - b);
};

describe('QueryMatcher', () => {
  // Skipped without the shared material next to the project.
  const inShared = existsSync(CASES) ? it : it.skip;
  inShared('gives the right answer in every case of the shared list', async () => {
    for (const line of readFileSync(CASES, 'utf8').trim().split('\n')) {
      const { text, q, match } = JSON.parse(line) as Case;
      expect([text, q, matches(await compile([q]), recordOf(text)).length === 1]).toEqual([text, q, match]);
    }
  });

  it('gives the same answers as a plain search for 10,000 pairs of text and query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(queryArbitrary, { minLength: 20, maxLength: 20 }),
        fc.array(recordArbitrary, { minLength: 5, maxLength: 5 }),
        async (queries, records) => {
          const matcher = await compile(queries);
          for (const record of records) {
            const found = matches(matcher, record);
            const expected = queries.flatMap((q, index) =>
              matchesNaively(conditionOfQuery(parseQuery(q).tree), record) ? [index] : [],
            );
            expect(found).toEqual(expected);
          }
        },
      ),
      { seed: 44, numRuns: 100 },
    );
  }, 60_000);

  it('grows with the words of its queries', async () => {
    const sized = async (count: number): Promise<number> =>
      (await compile(Array.from({ length: count }, (_, n) => `word${n}x -other${n}x`))).size;
    const small = await sized(500);
    expect(await sized(1_000)).toBe(2 * small);
  });
});
