import { filtersWithoutAuthor, withoutAuthor } from './erased-author.js';

describe('queries of an erased author', () => {
  it.each([
    ['author:Grey_Lake', 'author:"[erased]"'],
    ['solar -AUTHOR:u/grey_lake OR author:"@grey_lake" x', 'solar -AUTHOR:"[erased]" OR author:"[erased]" x'],
    ['author:(ann OR (grey_lake AND bob)) grey_lake', 'author:(ann OR ("[erased]" AND bob)) grey_lake'],
    ['author:ann,grey_lake author:=grey_lake*', 'author:"ann,[erased]" author:="[erased]"'],
    ['author:grey_lakes author:grey', 'author:grey_lakes author:grey'],
    ['author：grey_lake', 'author："[erased]"'],
  ])('become of %j the query %j', (query, expected) => {
    expect(withoutAuthor(query, 'grey_lake')).toBe(expected);
  });

  it('lose the name among the authors of filters', () => {
    const filters = { forum: 'grey_lake', author: ['ann', 'u/GREY_LAKE'] };
    expect(filtersWithoutAuthor(filters, 'grey_lake')).toEqual({ ...filters, author: ['ann', '[erased]'] });
    expect(filtersWithoutAuthor({ forum: 'grey_lake' }, 'grey_lake')).toEqual({ forum: 'grey_lake' });
  });
});
