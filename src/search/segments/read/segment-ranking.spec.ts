import { writtenSegment } from '../../../../test/factories/segments.js';
import { EventLoopTurn } from '../../../common/event-loop-turn.js';
import { rankedWord } from '../../../../test/support/ranked-word.js';
import { scoreOf } from '../../relevance/score.js';
import type { Match } from './match.js';
import { countByValue } from './segment-counts.js';
import { rankingBySegments, rankMatching, type ScoredId } from './segment-ranking.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';
import { wordKey } from '../format/term-keys.js';
import { ValueNumbers } from '../format/term-keys.js';

/**
 * Ids, words as Postgres writes them, lengths and forums. The letters before the number show the properties of a row.
 */
const ROWS: [string, string, number, string][] = [
  ['title1', `'solar':1A`, 10, 'Chess'],
  ['title2', `'solar':1A`, 10, 'chess'],
  ['both', `'solar':1A,5`, 10, 'Music'],
  ['body1', `'solar':5`, 10, 'Music'],
  ['body2', `'solar':5`, 10, 'Music'],
  ['long', `'solar':5`, 90, 'Chess'],
  ['twice', `'solar':5,9`, 10, 'Chess'],
  ['other', `'solarium':5`, 10, 'Music'],
  ['none', `'wind':1A`, 10, 'Chess'],
];

const matchOf = (key: string, isWhole: boolean): Match => ({
  kind: 'terms',
  key: wordKey(key),
  isWhole,
  field: null,
});

describe('the rows of segments', () => {
  let snapshot: SegmentSnapshot;

  beforeAll(async () => {
    const parts = [ROWS.slice(0, 4), ROWS.slice(4)];
    const segments = await Promise.all(
      parts.map((rows) =>
        writtenSegment((writer) => {
          for (const [id, vector, length, forum] of rows)
            writer.add([id, vector, 0, length, forum.toLowerCase(), forum]);
        }),
      ),
    );
    snapshot = {
      eachSegment: async (
        match: Match,
        _needs: unknown,
        visit: (segment: Segment, rows: unknown) => unknown,
      ) => {
        for (const segment of segments) await visit(segment, segment.matching(match, []));
      },
      changedRows: () => Promise.resolve([]),
    } as unknown as SegmentSnapshot;
  });

  async function ranked(
    lexeme: string,
    isPrefix: boolean,
    range: { isDescending: boolean; after?: ScoredId; limit?: number },
  ): Promise<ScoredId[]> {
    const words = [rankedWord(lexeme, isPrefix)];
    const ranking = await rankingBySegments(snapshot, words);
    const match = matchOf(lexeme, !isPrefix);
    const found = await rankMatching(snapshot, {}, match, ranking, { after: null, limit: 20, ...range });
    return found.rows;
  }
  const idsOf = (rows: readonly ScoredId[]): string[] => rows.map(({ id }) => id);

  const DESCENDING = ['both', 'title2', 'title1', 'twice', 'body2', 'body1', 'long'];

  it('are ranked by where and how often they contain a word, length and id', async () => {
    const rows = await ranked('solar', false, { isDescending: true });
    expect(idsOf(rows)).toEqual(DESCENDING);
    const words = [rankedWord('solar')];
    const { words: weighted, averageLength } = await rankingBySegments(snapshot, words);
    expect(averageLength).toBe(18.9);
    const { weight } = weighted[0]!;
    expect(rows[0]!.score).toBe(scoreOf([{ weight, frequency: 4 }], 10, averageLength));
    expect(rows.at(-1)!.score).toBe(scoreOf([{ weight, frequency: 1 }], 90, averageLength));
    expect(idsOf(await ranked('solar', false, { isDescending: false }))).toEqual([...DESCENDING].reverse());
  });

  it('have the same order page by page as all at once', async () => {
    for (const isDescending of [true, false]) {
      const all = await ranked('solar', false, { isDescending });
      for (const [index, after] of all.entries())
        for (const limit of [1, 2])
          expect(await ranked('solar', false, { isDescending, after, limit })).toEqual(
            all.slice(index + 1, index + 1 + limit),
          );
    }
  });

  it('count a prefix at most once in the title and once elsewhere', async () => {
    const rows = await ranked('sola', true, { isDescending: true });
    expect(idsOf(rows)).toEqual(['both', 'title2', 'title1', 'twice', 'other', 'body2', 'body1', 'long']);
    const scores = new Map(rows.map(({ id, score }) => [id, score]));
    expect(scores.get('twice')).toBe(scores.get('body1'));
  });

  it('are counted by value if they match', async () => {
    const forum = { sql: 'forum', type: 'name', segment: true, facet: true, sort: false } as const;
    const numbers = new Map([['forum', new ValueNumbers()]]);
    const counted = async (match: Match) => {
      const { total, counts } = await countByValue(snapshot, { forum }, {}, match, numbers);
      const first = await counts.get('forum')!.top(5, new EventLoopTurn());
      return [total, first.map(({ value, count }) => ({ value, count }))];
    };
    expect(await counted(matchOf('solar', true))).toEqual([
      7,
      [
        { value: 'Chess', count: 4 },
        { value: 'Music', count: 3 },
      ],
    ]);
    expect(await counted(matchOf('solarium', true))).toEqual([1, [{ value: 'Music', count: 1 }]]);
  });
});
