import { expect, it } from 'vitest';
import { parsePins } from './pinned-trends.ts';

it.each([null, '', '{', '7', '[null, 3]'])('reads no pins from %j', (text) => {
  expect(parsePins(text)).toEqual([]);
});

it('reads valid parts of stored pins, at most six', () => {
  expect(parsePins('[{"q1":"battery","period":"7","other":1}]')).toEqual([{ q1: 'battery', period: '7' }]);
  expect(parsePins(JSON.stringify(Array(9).fill({ q1: 'a' })))).toHaveLength(6);
});
