import { EventLoopTurn } from '../../../common/event-loop-turn.js';
import { ValueNumbers } from '../format/term-keys.js';
import { GroupCounts } from './group-counts.js';

/** The first values as they are shown, with their counts. */
const first = async (counts: GroupCounts, limit: number) =>
  (await counts.top(limit, new EventLoopTurn())).map(({ value, count }) => ({ value, count }));

describe('the most frequent values', () => {
  const counts = new GroupCounts('name', new ValueNumbers());
  counts.add('chess', 'chess', 1);
  counts.add('music', 'music', 3);
  counts.add('art', 'art', 2);
  counts.add('chess', 'Chess', 1);
  counts.add('film', 'film', 1);

  it.each([
    [1, ['music']],
    [2, ['music', 'Chess']],
    [3, ['music', 'Chess', 'art']],
    [4, ['music', 'Chess', 'art', 'film']],
    [5, ['music', 'Chess', 'art', 'film']],
  ])('with a limit of %d come by row count, then by their first spelling', async (limit, values) => {
    expect((await first(counts, limit)).map(({ value }) => value)).toEqual(values);
  });

  it('include the rows of all spellings', async () => {
    counts.add('film', 'Film', 4);
    expect(await first(counts, 1)).toEqual([{ value: 'Film', count: 5 }]);
    const countOf = counts.byValue();
    expect([countOf('film'), countOf('Film'), countOf('none')]).toEqual([5, 0, 0]);
  });

  it('of a list include the rows of all ordinals', async () => {
    const keywords = new GroupCounts('list', new ValueNumbers());
    keywords.add('solar', '1', 2);
    keywords.add('usb', '1', 3);
    keywords.add('solar', '2', 2);
    expect(await first(keywords, 5)).toEqual([
      { value: 'solar', count: 4 },
      { value: 'usb', count: 3 },
    ]);
  });

  it('have no spellings whose rows were all subtracted', async () => {
    const forums = new GroupCounts('name', new ValueNumbers());
    forums.add('chess', 'Chess', 1);
    forums.add('chess', 'chess', 2);
    forums.add('chess', 'Chess', -1);
    expect(await first(forums, 1)).toEqual([{ value: 'chess', count: 2 }]);
  });

  it('of many values with equal counts are the first in byte order', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `a${(index * 7_919) % 20_000}`);
    const authors = new GroupCounts('name', new ValueNumbers());
    for (const name of names) authors.add(name, name.toUpperCase(), 1);
    authors.add('z', 'Z', 2);
    const expected = [
      'Z',
      ...names
        .map((name) => name.toUpperCase())
        .sort()
        .slice(0, 9),
    ];
    expect((await first(authors, 10)).map(({ value }) => value)).toEqual(expected);
  });
});
