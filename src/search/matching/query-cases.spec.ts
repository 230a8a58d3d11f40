import { type QueryCase, readCases, withCases } from '../../../test/support/query-cases.js';
import { detectLanguage } from '../../text/language/detect-language.js';
import { conditionOfQuery } from '../query/condition.js';
import { parseQuery } from '../query/parse-query.js';
import type { MatchedRecord } from './matched-record.js';
import { QueryMatcher } from './query-matcher.js';

/** The post that a case describes. */
function recordOf({ fields, title, text }: QueryCase): MatchedRecord {
  return {
    texts: { title, text },
    language: detectLanguage(title === '' ? text : title),
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

withCases.describe('QueryMatcher', () => {
  it('gives the right answer in every case of the shared list', async () => {
    for (const one of readCases()) {
      const { fields, text, q, match } = one;
      const found: number[] = [];
      const matcher = await QueryMatcher.compile([conditionOfQuery(parseQuery(q).tree)]);
      matcher.match(recordOf(one), (query) => found.push(query));
      expect([fields, text, q, found.length === 1]).toEqual([fields, text, q, match]);
    }
  });
});
