import { selectList } from './entity-columns.js';

it.each([
  [undefined, 'id, created_utc AS "createdUtc"'],
  ['post', 'post.id, post.created_utc AS "createdUtc"'],
])('a select list of the table %s', (table, list) => {
  expect(selectList(['id', 'createdUtc'], table)).toBe(list);
});
