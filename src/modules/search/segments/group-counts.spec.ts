import { GroupCounts } from './group-counts.js';
import { ValueNumbers } from './value-numbers.js';

describe('the most frequent values', () => {
  const numbers = new ValueNumbers();
  const counts = new GroupCounts('name', numbers);
  const add = (name: string, spelling: string, count: number): void =>
    counts.add(numbers.of(name), spelling, count);
  add('chess', 'chess', 2);
  add('music', 'music', 3);
  add('art', 'art', 2);
  add('chess', 'Chess', 0);
  add('film', 'film', 1);

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
    add('film', 'Film', 4);
    expect(counts.top(1)).toEqual([{ value: 'Film', count: 5 }]);
    expect(counts.countOf('none')).toBe(0);
  });
});
