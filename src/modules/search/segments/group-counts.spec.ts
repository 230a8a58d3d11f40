import { GroupCounts } from './group-counts.js';

describe('the values with most rows', () => {
  const counts = new GroupCounts('name');
  counts.add('chess', 'chess', 2);
  counts.add('music', 'music', 3);
  counts.add('art', 'art', 2);
  counts.add('chess', 'Chess', 0);
  counts.add('film', 'film', 1);

  it.each([
    [1, ['music']],
    [2, ['music', 'Chess']],
    [3, ['music', 'Chess', 'art']],
    [4, ['music', 'Chess', 'art', 'film']],
    [5, ['music', 'Chess', 'art', 'film']],
  ])('are for a limit of %d the first by rows, then by their least spelling', (limit, values) => {
    expect(counts.top(limit).map(({ value }) => value)).toEqual(values);
  });

  it('have the rows of all spellings', () => {
    counts.add('film', 'Film', 4);
    expect(counts.top(1)).toEqual([{ value: 'Film', count: 5 }]);
    expect(counts.countOf('none')).toBe(0);
  });
});
