import { nextQuery } from './link-header.js';

describe('nextQuery', () => {
  it.each([
    [
      '<https://s.example/a?limit=40&max_id=12>; rel="next", <https://s.example/a?min_id=9>; rel="prev"',
      '12',
    ],
    [
      '<https://s.example/a?min_id=9>; rel="prev", <https://s.example/a?max_id=12>; title="x"; rel=next',
      '12',
    ],
    ['<https://s.example/a?max_id=1%2C2>; rel="next"', '1,2'],
    ['<https://s.example/a?max_id=12>; rel = "next"', '12'],
    ['<https://s.example/a?max_id=12>; rel="last next"', '12'],
    ['<https://s.example/a?max_id=12>; Rel=NEXT, <https://s.example/b>; rel=prev', '12'],
    ['<https://s.example/a?max_id=12>; rel=next; title="2"', '12'],
    ['<https://s.example/a?max_id=12>; rel="prev"; title="next"', undefined],
    ['<https://s.example/a?max_id=12>; rel="next-archive"', undefined],
    ['<https://s.example/a?min_id=9>; rel="prev"', undefined],
    ['', undefined],
  ])('reads %s', (link, id) => {
    expect(nextQuery(link)?.get('max_id')).toBe(id);
  });
});
