import fc from 'fast-check';
import type { StreamText } from '../../platforms/stream-batch.js';
import type { Listener } from '../../tenants/ports/listeners.js';
import { keyOfListener, SourceQueries, type SourceQuery } from './source-queries.js';

const WORDS = ['battery', 'charger', 'solar', 'wind'];

const listener = (id: string, query: string, given: Partial<Listener> = {}): Listener => ({
  ...{ workspaceId: 'a', id, listen: ['bluesky'], of: 'all', keywords: [], query, forums: [] },
  ...given,
});

const byKey = (...queries: SourceQuery[]): Map<string, SourceQuery> =>
  new Map(queries.map((query) => ['topic' in query ? query.topic : keyOfListener(query), query]));

const text = (body: string, given: Partial<StreamText> = {}): StreamText => ({
  ...{ id: 'bsky_1', isComment: false, at: new Date(0), forum: 'bluesky', title: '', text: body },
  ...{ author: 'ann', createdUtc: new Date(0), flair: '', languages: ['en'] },
  ...given,
});

/** Ids of the listeners, and the topics, that a text matches. */
const foundBy = (queries: SourceQueries, body: string): string[] => {
  const { heard, topics } = queries.match(text(body));
  return [...heard.flatMap(({ listenerIds }) => listenerIds), ...topics].sort();
};

describe('the queries of a source', () => {
  it('put the listeners of a workspace together, and name topics', async () => {
    const queries = await SourceQueries.compile(
      byKey(
        listener('1', 'battery'),
        listener('2', 'charger', { of: 'comments' }),
        listener('3', 'battery OR solar'),
        listener('1', 'battery', { workspaceId: 'b' }),
        { topic: 'search/battery' },
      ),
    );
    const { heard, topics } = queries.match(text('A battery and a charger'));
    expect(heard.map(({ workspaceId, listenerIds }) => [workspaceId, listenerIds])).toEqual([
      ['a', ['1', '3']],
      ['b', ['1']],
    ]);
    expect(topics).toEqual(['search/battery']);
  });

  it('show comments to listeners to comments alone, and to no topic', async () => {
    const queries = await SourceQueries.compile(
      byKey(
        listener('1', 'battery', { of: 'posts' }),
        listener('2', 'battery', { of: 'comments' }),
        listener('3', 'battery'),
        { topic: 'search/battery' },
      ),
    );
    const { heard, topics } = queries.match(text('A battery', { isComment: true }));
    expect(heard.map(({ listenerIds }) => listenerIds)).toEqual([['2', '3']]);
    expect(topics).toEqual([]);
  });

  it('find by the new query of a listener, not by the one before', async () => {
    const before = await SourceQueries.compile(byKey(listener('1', 'battery'), listener('2', 'battery')));
    const queries = await before.changed(byKey(listener('1', 'charger'), listener('2', 'battery')));
    expect(foundBy(queries, 'A battery')).toEqual(['2']);
    expect(foundBy(queries, 'A charger')).toEqual(['1']);
  });

  it.each([
    ['what it reads', { of: 'comments' }],
    ['its keywords', { keywords: ['charger'], query: null }],
    ['its forums', { forums: ['technology'] }],
  ] as const)('follow a listener that changes %s', async (_, change) => {
    const before = await SourceQueries.compile(byKey(listener('1', 'battery')));
    const queries = await before.changed(byKey(listener('1', 'battery', change)));
    expect(foundBy(before, 'A battery')).toEqual(['1']);
    expect(foundBy(queries, 'A battery')).toEqual([]);
  });

  it('find the same after changes as if all had been compiled together', async () => {
    const set = fc.uniqueArray(
      fc.record({ id: fc.constantFrom('1', '2', '3'), query: fc.constantFrom(...WORDS) }),
      { selector: ({ id }) => id },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(set, { minLength: 1, maxLength: 4 }), async ([first, ...changes]) => {
        const of = (all: { id: string; query: string }[]) =>
          byKey(...all.map(({ id, query }) => listener(id, query)));
        let changed = await SourceQueries.compile(of(first!));
        for (const change of changes) changed = await changed.changed(of(change));
        const together = await SourceQueries.compile(of(changes.at(-1) ?? first!));
        for (const word of WORDS) expect(foundBy(changed, word)).toEqual(foundBy(together, word));
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  it('are worn by more than a thousand new and deleted ones', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, id) => listener(String(id), 'battery'));
    const before = await SourceQueries.compile(byKey(...many(600)));
    const changed = async (kept: number, added: number) => {
      const own = many(600).slice(0, kept);
      const others = many(added).map((one) => ({ ...one, workspaceId: 'b' }));
      return (await before.changed(byKey(...own, ...others))).isWorn;
    };
    expect(await changed(100, 500)).toBe(false);
    expect(await changed(100, 501)).toBe(true);
    expect(await changed(99, 500)).toBe(true);
  });
});
