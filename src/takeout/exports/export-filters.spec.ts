import { checkedFilters } from './export-filters.js';

it('filters of an export are stored in a fixed order', async () => {
  const filters = await checkedFilters('posts', { q: 'battery', min_score: 3, author: 'ann' });
  expect(JSON.stringify(filters)).toBe('{"author":"ann","min_score":3,"q":"battery"}');
});

it('filters of an export that are sent as text instead of a number are rejected', async () => {
  await expect(checkedFilters('posts', { min_score: '3' })).rejects.toMatchObject({
    extra: { errors: [{ field: 'filters.min_score', message: 'filters.min_score must be a JSON number' }] },
  });
});
