import { GroupCounts } from './group-counts.js';
import { ValueNumbers } from '../format/term-keys.js';

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
  ])('with a limit of %d come by row count, then by their first spelling', (limit, values) => {
    expect(counts.top(limit).map(({ value }) => value)).toEqual(values);
  });

  it('include the rows of all spellings', () => {
    counts.add('film', 'Film', 4);
    expect(counts.top(1)).toEqual([{ value: 'Film', count: 5 }]);
    const countOf = counts.byValue();
    expect([countOf('film'), countOf('Film'), countOf('none')]).toEqual([5, 0, 0]);
  });

  it('of a list include the rows of all ordinals', () => {
    const keywords = new GroupCounts('list', new ValueNumbers());
    keywords.add('solar', '1', 2);
    keywords.add('usb', '1', 3);
    keywords.add('solar', '2', 2);
    expect(keywords.top(5)).toEqual([
      { value: 'solar', count: 4 },
      { value: 'usb', count: 3 },
    ]);
  });

  it('have no spellings whose rows were all subtracted', () => {
    const forums = new GroupCounts('name', new ValueNumbers());
    forums.add('chess', 'Chess', 1);
    forums.add('chess', 'chess', 2);
    forums.add('chess', 'Chess', -1);
    expect(forums.top(1)).toEqual([{ value: 'chess', count: 2 }]);
  });
});
